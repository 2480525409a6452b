#!/bin/bash
# Regenerates results/peers_tuners.md: how soon rooftune, Kernel Tuner (its C backend) and OpenTuner come to within 5 % of
# the best variant of tests/examples/kernels/blocked_matmul.cpp, and how many variants they evaluate a minute.
#
#   tests/bench/peers_tuners.sh     about 20 minutes on two cores
#
# BUDGET (20, seconds) is that of each run; SEEDS (10) how many runs of each.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${ROOFTUNE_BUILD_DIR:-$root/build}" && pwd)
raw=$root/results/local/peers_tuners
budget=${BUDGET:-20} seeds=${SEEDS:-10}
cmake --build "$build" --target rooftune_program >/dev/null
rooftune=$build/rooftune
peers=$root/tests/peers/tuners
kernels=$root/tests/examples/kernels
mkdir -p "$raw"
# Kernel Tuner's and OpenTuner's own requirements, in a folder of this benchmark's own.
python=$raw/venv/bin/python
[ -x "$python" ] || python3 -m venv "$raw/venv"
"$raw/venv/bin/pip" install --quiet -r "$peers/requirements.txt"
rm -rf "$raw/runs" "$raw/all"
mkdir -p "$raw/runs"
"$rooftune" machine --quick --quiet --results "$raw/all" >/dev/null
cp -r "$raw/all" "$raw/model"
"$rooftune" tune "$kernels/blocked_matmul.cpp" n=256 --exhaustive --audit 0 --quiet --results "$raw/all" >/dev/null
"$rooftune" export --format rooftune --with-machine --results "$raw/all" --output "$raw/all.json"
arms='rooftune kernel_tuner_random kernel_tuner_genetic opentuner'
for ((seed = 1; seed <= seeds; ++seed)); do
    for arm in $arms; do
        run=$raw/runs/$arm.$seed
        mkdir -p "$run"
        # Everybody compiles all that he measures.
        words=("$kernels" "$run/log" "$(date +%s.%N)" "$budget" "$seed")
        case $arm in
        rooftune)
            cp -r "$raw/model" "$run/results"
            "$python" "$peers/rooftune_arm.py" "${words[@]}" "$rooftune" "$run/results"
            ;;
        kernel_tuner_random) "$python" "$peers/kernel_tuner_arm.py" "${words[@]}" random_sample ;;
        kernel_tuner_genetic) "$python" "$peers/kernel_tuner_arm.py" "${words[@]}" genetic_algorithm ;;
        opentuner) "$python" "$peers/opentuner_arm.py" "${words[@]}" ;;
        esac >"$run/out" 2>&1 || { cat "$run/out"; exit 1; }
    done
done
{
    printf '# Beside other tuners: one kernel, one space, one budget\n\n'
    printf 'Regenerate with `tests/bench/peers_tuners.sh`: `blocked_matmul.cpp n=256` (six parameters), %s s from the start of the\n' "$budget"
    printf 'process, %s seeds, one after the other. All have the same source and compile what they measure; the times of an\n' "$seeds"
    printf 'exhaustive tune say how fast a variant is. rooftune knows the machine before (`rooftune machine --quick`, once, about\n'
    printf '10 s). Kernel Tuner checks the answer, OpenTuner does not. What was evaluated counts when it has been measured.\n\n'
    printf 'Machine: %s; %s\n\n' "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)" \
        "$("$raw/venv/bin/pip" list 2>/dev/null | awk '$1 ~ /^(kernel-tuner|kernel_tuner|opentuner)$/ { printf "%s%s %s", sep, $1, $2; sep = ", " }')"
    words=()
    for arm in $arms; do
        logs=$(for ((seed = 1; seed <= seeds; ++seed)); do printf '%s,' "$raw/runs/$arm.$seed/log"; done)
        words+=("$arm=${logs%,}")
    done
    python3 "$peers/table.py" "$raw/all.json" "$budget" "${words[@]}"
} >"$root/results/peers_tuners.md.part"
mv "$root/results/peers_tuners.md.part" "$root/results/peers_tuners.md"
