#!/bin/sh
# Regenerates results/score_peer.md: our score of strategies beside that of the auto-tuning association's own package
# (autotuning-methodology, from PyPI), on the same runs of every recorded space, and of some in which random sampling
# is near the best after few evaluations. Nothing is measured, so the machine need not be quiet. Needs ROOFTUNE_DATA,
# python3 with venv, and network the first time; a quarter of an hour.
#
#   tests/peers/score/score.sh [FOLDER FOR PACKAGES AND FILES IN BETWEEN]
#
# Environment, for a quick try: STRATEGIES separated by blanks, RUNS of each, TIMES that the package scores at most,
# PYTHON (python3), PROGRAM (./rooftune), SPACES instead of all, OUT the file to write.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
here=$root/tests/peers/score
: "${ROOFTUNE_DATA:?set ROOFTUNE_DATA to the folder that holds spaces/}"
folder=${1:-$root/results/local/score_peer}
program=${PROGRAM:-$root/rooftune}
out=${OUT:-$root/results/score_peer.md}
package=autotuning-methodology==1.1.0
export PYTHONDONTWRITEBYTECODE=1
mkdir -p "$folder"
if [ ! -f "$folder/installed" ]; then
    "${PYTHON:-python3}" -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet --disable-pip-version-check "$package"
    touch "$folder/installed"
fi
python=$folder/venv/bin/python
"$python" "$here/synthetic.py" "$folder/synthetic"
if [ -z "${SPACES:-}" ]; then
    SPACES=$(ls "$ROOFTUNE_DATA"/spaces/*/*.json.gz "$root"/results/spaces/*.json.gz "$folder"/synthetic/*.json)
fi
{
    printf '# The score beside the association'"'"'s package\n\n'
    printf 'Regenerate with `tests/peers/score/score.sh`. `./rooftune replay --trajectories` makes %s runs of each strategy\n' \
        "${RUNS:-100}"
    printf '(seed 1), and `%s` scores the same runs. The package draws from an unseeded\n' "$package"
    printf 'generator: its score is the mean of as many draws as stand beside it, and their range. Evaluations: from the\n'
    printf 'first to the last of the budget. Spaces of `synthetic/` are formulas (`tests/peers/score/synthetic.py`) in which\n'
    printf 'random sampling reaches the cutoff within ten evaluations. None: the package ends with that message instead.\n\n'
    # shellcheck disable=SC2086
    "$python" "$here/compare.py" "$program" "$folder" $SPACES
} >"$folder/table.md"
cp "$folder/table.md" "$out"
