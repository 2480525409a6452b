#include "tests/peers/harness/rounds.h"

#include <algorithm>
#include <numeric>

namespace rooftune::peers {

std::vector<int> order_of_round(int round, int arms) {
    std::vector<int> order(static_cast<std::size_t>(arms));
    std::iota(order.begin(), order.end(), 0);
    if (round % 2 == 1) std::reverse(order.begin(), order.end());
    return order;
}

std::vector<std::vector<Slot>> rotate(int arms, const RoundRules& rules, const std::function<Slot(int)>& turn,
                                      const std::function<double()>& now, const std::function<bool()>& stop) {
    std::vector<std::vector<Slot>> slots(static_cast<std::size_t>(arms));
    const double start = now();
    for (int round = 0; round < rules.most; ++round) {
        if (round >= rules.least && now() - start > rules.seconds) break;
        std::vector<Slot> row(static_cast<std::size_t>(arms));
        for (const int arm : order_of_round(round, arms)) {
            if (stop()) return slots;
            row[static_cast<std::size_t>(arm)] = turn(arm);
        }
        if (stop()) return slots;
        for (std::size_t i = 0; i < row.size(); ++i) slots[i].push_back(row[i]);
    }
    return slots;
}

}  // namespace rooftune::peers
