// Tuned kernels in a program: load what was tuned, make a plan for a problem, run it.
//
//   const rooftune::Tuned tuned = rooftune::load_tuned("tuned");
//   auto product = rooftune::matmul_plan<double>(tuned, {.m = 300, .n = 200, .k = 100});
//   product.run(a, b, c);
//
// Without configs for this machine or problem a plan takes a default that is right everywhere, and
// `product.choice().why` says so. Errors are rooftune::InputError and rooftune::EnvironmentError, whose texts
// say what to do.
#pragma once

#include "kernels/runtime/error.h"
#include "tuner/plans/choice.h"
#include "tuner/plans/executor.h"
#include "tuner/plans/matmul_plan.h"
#include "tuner/plans/sparse_matrix.h"
#include "tuner/plans/spmv_plan.h"
#include "tuner/plans/stencil_plan.h"
#include "tuner/plans/tuned.h"
#include "tuner/plans/workers.h"
