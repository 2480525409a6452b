// Threads of the program's own that do a team's work for a while: its OpenMP region, its pool.
#pragma once

namespace rooftune {

class LentThreads {
public:
    /// Calls body(context, share) once for each share of 0 … shares−1 and returns when all are done.
    virtual void run(int shares, void (*body)(void* context, int share), void* context) = 0;
    /// Whether so many shares surely run at the same time. Where they may not, no share may wait for another.
    virtual bool at_once(int shares) const = 0;

protected:
    ~LentThreads() = default;
};

/// While it lives, the teams of several threads that this thread runs are run by `threads` instead of their
/// own; nullptr: by their own again. What is lent is known to this thread alone, so that plans which share a
/// team need not wait for each other.
class Lending {
public:
    explicit Lending(LentThreads* threads);
    ~Lending();
    Lending(const Lending&) = delete;
    Lending& operator=(const Lending&) = delete;

    /// What is lent to the thread that asks; nullptr: nothing.
    static LentThreads* now();

private:
    LentThreads* before_;
};

}  // namespace rooftune
