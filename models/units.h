// Units as types. A quantity carries the exponents of time, bytes and operations, so that a bound
// in seconds cannot be compared with a rate by mistake and bytes over byte/s can only be seconds.
#pragma once

#include <compare>

namespace rooftune {

/// A double with the dimension second^Time · byte^Byte · operation^Op.
template <int Time, int Byte, int Op>
struct Quantity {
    double value = 0.0;

    constexpr Quantity() = default;
    constexpr explicit Quantity(double v) : value(v) {}

    constexpr auto operator<=>(const Quantity&) const = default;
    constexpr Quantity operator+(Quantity o) const { return Quantity(value + o.value); }
    constexpr Quantity operator-(Quantity o) const { return Quantity(value - o.value); }
    constexpr Quantity operator*(double s) const { return Quantity(value * s); }
    constexpr Quantity operator/(double s) const { return Quantity(value / s); }
    constexpr Quantity& operator+=(Quantity o) {
        value += o.value;
        return *this;
    }
};

template <int T, int B, int O>
constexpr Quantity<T, B, O> operator*(double s, Quantity<T, B, O> q) {
    return q * s;
}

template <int T1, int B1, int O1, int T2, int B2, int O2>
constexpr auto operator*(Quantity<T1, B1, O1> a, Quantity<T2, B2, O2> b) {
    return Quantity<T1 + T2, B1 + B2, O1 + O2>(a.value * b.value);
}

/// Quotients of like dimensions are plain numbers.
template <int T1, int B1, int O1, int T2, int B2, int O2>
constexpr auto operator/(Quantity<T1, B1, O1> a, Quantity<T2, B2, O2> b) {
    if constexpr (T1 == T2 && B1 == B2 && O1 == O2) {
        return a.value / b.value;
    } else {
        return Quantity<T1 - T2, B1 - B2, O1 - O2>(a.value / b.value);
    }
}

using Seconds = Quantity<1, 0, 0>;
using Bytes = Quantity<0, 1, 0>;
using Operations = Quantity<0, 0, 1>;  ///< flops, loads, instructions: the context says which
using BytesPerSecond = Quantity<-1, 1, 0>;
using OperationsPerSecond = Quantity<-1, 0, 1>;
using Intensity = Quantity<0, -1, 1>;  ///< flop per byte

}  // namespace rooftune
