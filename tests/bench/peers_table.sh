# Sourced by peers_*.sh, which set $root, $peer, $title, $arms and $PROBLEMS: tunes and compares each
# problem and writes results/peers_$peer.md once all have gone well.
command -v python3 >/dev/null || {
    echo "peers_$peer.sh: python3 is missing, which makes the summary: apt-get install python3" >&2
    exit 3
}
budget=${BUDGET:-60s}
seconds=${COMPARE:-20}
out=${OUT:-$root/results/peers_$peer.md}
raw=${1:-$root/results/local/peers_$peer}
# From nothing: a tune that resumes would not be what the command below does.
rm -rf "$raw"
mkdir -p "$raw"
"$root/rooftune" machine --quick --quiet --results "$raw" >/dev/null
{
    printf '# %s\n\n' "$title"
    printf 'Regenerate with `tests/bench/peers_%s.sh`, which runs for each problem\n' "$peer"
    printf '`./rooftune tune %s PROBLEM --budget %s`, then `./rooftune peers %s PROBLEM --config TUNED --seconds %s`.\n' \
        "$peer" "$budget" "$peer" "$seconds"
    printf 'Each arm is a process with its own data, on the same processors; rounds are interleaved (ABBA), and a\n'
    printf 'turn begins when the arm before has come to rest. Time: median of turns with its 95 %% interval; speed\n'
    printf 'over a peer: median of the ratios of each round, with its interval; error: of the checked answer, over\n'
    printf 'its tolerance. %s\n\n' "$arms"
    printf 'Machine: %s\n' "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)"
} >"$raw/table.md"
for problem in $PROBLEMS; do
    tuned=$raw/$(printf '%s' "${problem##*/}" | tr ',=' '__')
    mkdir -p "$tuned"
    "$root/rooftune" tune "$peer" "$problem" --budget "$budget" --quiet --json \
        --results "$raw" --out "$tuned" >"$tuned.json"
    {
        printf '\n## `%s`\n\n' "$problem"
        "$root/rooftune" peers "$peer" "$problem" --config "$tuned"/*.json --seconds "$seconds" \
            --out "$tuned.peers"
    } >>"$raw/table.md"
done
python3 "$root/tests/bench/peers_summary.py" "$raw"/*.peers >>"$raw/table.md"
# Test data lie elsewhere on another machine.
python3 - "$raw/table.md" "${ROOFTUNE_DATA:-}" >"$out.part" <<'REPLACE'
import sys

text = open(sys.argv[1], encoding="utf-8").read()
sys.stdout.write(text.replace(sys.argv[2], "$ROOFTUNE_DATA") if sys.argv[2] else text)
REPLACE
mv "$out.part" "$out"
