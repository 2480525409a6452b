// Room in oneTBB's pool for the workers of teams.
#pragma once

namespace rooftune {

/// oneTBB heeds the smallest of all limits that are alive in a process. So all teams share one: what the
/// program would have without them, and every worker of theirs on top, which a team never gives back while it
/// lives. A limit of each team's own kept a second team from starting, and took the program's own threads.
class WorkerRoom {
public:
    explicit WorkerRoom(int workers);
    ~WorkerRoom();
    WorkerRoom(const WorkerRoom&) = delete;
    WorkerRoom& operator=(const WorkerRoom&) = delete;

private:
    int workers_;
};

}  // namespace rooftune
