"""What tables in results/ say of a few values."""
import math
import statistics


def interval_of_median(values):
    """Median and the order statistics that hold it in 95 of 100 draws, whatever the distribution."""
    values, n, tail, rank = sorted(values), len(values), 0.0, 0
    while tail + math.comb(n, rank) / 2**n <= 0.025:
        tail += math.comb(n, rank) / 2**n
        rank += 1
    return statistics.median(values), values[max(rank - 1, 0)], values[min(n - rank, n - 1)]
