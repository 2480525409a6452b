-- A store as rooftune wrote it when its version was 1: one job, a run, three superseded records and two others.
-- Frozen: what is on users' disks does not change either.
PRAGMA application_id = 1919905638;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,       -- canonical text of the identity
    hash TEXT NOT NULL,             -- its short name
    family TEXT NOT NULL,
    backend TEXT NOT NULL,
    problem TEXT NOT NULL,          -- JSON object
    digest TEXT NOT NULL,
    dtype TEXT NOT NULL,
    title TEXT NOT NULL,
    state TEXT NOT NULL,
    threads INTEGER NOT NULL,
    machine TEXT NOT NULL,          -- fingerprint
    space_version INTEGER NOT NULL,
    build TEXT NOT NULL,            -- of the kernels
    created TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
INSERT INTO "jobs" VALUES(1,'family=spmv
backend=cpu
digest=d1g3st
dtype=f64
state=warm
threads=2
machine=intel-6-143-8-2t
space_version=3
build=b41ld
','a99b329a3a833a87','spmv','cpu','{"dtype":"f64","matrix":"ship.mtx"}','d1g3st','f64','spmv ship, f64','warm',2,'intel-6-143-8-2t',3,'b41ld','2026-11-22T14:45:14Z',-127164555653003945);
CREATE TABLE journal (
    id INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES jobs(id),
    variant TEXT NOT NULL,
    started TEXT NOT NULL,
    owner TEXT NOT NULL,            -- the Store object that wrote the entry
    pid INTEGER NOT NULL,           -- with the next two: the process
    process_start INTEGER NOT NULL,
    boot TEXT NOT NULL,
    crashed INTEGER NOT NULL DEFAULT 0  -- 1: its process died before the record was there
) STRICT;
CREATE TABLE records (
    id INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES jobs(id),
    run INTEGER REFERENCES runs(id),
    superseded INTEGER NOT NULL DEFAULT 0,  -- 1: before a --fresh; kept, but not resumed from
    variant TEXT NOT NULL,          -- as Space::to_text spells it
    parameters TEXT NOT NULL,       -- JSON object
    outcome TEXT NOT NULL,
    detail TEXT NOT NULL,
    slots TEXT NOT NULL,            -- JSON: [[seconds, repetitions, disturbed], …]
    error REAL,                     -- over its tolerance; null: not a number
    prepare_seconds REAL,
    role TEXT NOT NULL,
    at TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
INSERT INTO "records" VALUES(1,1,1,1,'format=sell,chunk=0','{"chunk":"0","format":"sell"}','measured','','[[1.25e-05,100,false],[0.30000000000000004,99,true]]',0.02,0.004,'search','2024-05-31T17:04:59Z',-4032628725016435111);
INSERT INTO "records" VALUES(2,1,1,1,'format=sell,chunk=1','{"chunk":"1","format":"sell"}','measured','','[[1.0000125,100,false],[0.30000000000000004,99,true]]',0.02,0.004,'search','2024-05-31T17:04:59Z',-5817527246993791262);
INSERT INTO "records" VALUES(3,1,1,1,'format=sell,chunk=2','{"chunk":"2","format":"sell"}','measured','','[[2.0000125,100,false],[0.30000000000000004,99,true]]',0.02,0.004,'search','2024-05-31T17:04:59Z',2841966726605977291);
INSERT INTO "records" VALUES(4,1,NULL,0,'format=sell,chunk=3','{"chunk":"3","format":"sell"}','measured','','[[3.0000125,100,false],[0.30000000000000004,99,true]]',0.02,0.004,'search','2024-05-31T17:04:59Z',-381613903586249316);
INSERT INTO "records" VALUES(5,1,NULL,0,'format=sell,chunk=4','{"chunk":"4","format":"sell"}','measured','','[[4.0000125,100,false],[0.30000000000000004,99,true]]',0.02,0.004,'search','2024-05-31T17:04:59Z',-3973659535876294123);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES jobs(id),
    started TEXT NOT NULL,
    ended TEXT,                     -- null: running, or killed
    result TEXT,                    -- JSON, rooftune/tune-result
    checksum INTEGER NOT NULL
) STRICT;
INSERT INTO "runs" VALUES(1,1,'2026-11-22T14:45:14Z','2026-11-22T14:45:14Z','{}',923749348404210866);
CREATE INDEX records_of_job ON records(job, superseded);
CREATE INDEX journal_of_job ON journal(job, variant);
COMMIT;
