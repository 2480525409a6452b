"""Conjugate gradients over scipy's CSR arrays, with a plan for the products: the C functions of rooftune through ctypes.

  cg.py MATRIX.mtx|- [FOLDER OF TUNED CONFIGS]     "-": the 5-point Laplacian of a 200 x 200 grid

The library is the one that ROOFTUNE_LIBRARY names, else the one that the system's loader finds. A plan reads columns and
values where scipy has them; of the row pointers, which scipy keeps in 32 bits, it wants a copy in 64. Vectors are handed
over as they are.
"""
import ctypes
import ctypes.util
import os
import sys
import weakref

import numpy as np
import scipy.io
import scipy.sparse

BAD_INPUT = 2


class EnvironmentFailed(RuntimeError):
    """The machine or the process stood in the way: no threads, no memory, a child of fork()."""


def array(dtype, *flags):
    """An argument that is such an array without gaps; anything else is a TypeError when it is handed over."""
    return np.ctypeslib.ndpointer(dtype=dtype, flags=("C_CONTIGUOUS", *flags))


class Library:
    """The shared library, with what each function takes. What fails raises an exception with the library's words."""

    def __init__(self, file=None):
        file = file or os.environ.get("ROOFTUNE_LIBRARY") or ctypes.util.find_library("rooftune")
        if not file:
            raise OSError("librooftune.so was not found; set ROOFTUNE_LIBRARY to the file")
        self.c = ctypes.CDLL(file)
        handle, text = ctypes.c_void_p, ctypes.c_char_p
        self._declare("rooftune_error", text)
        self._declare("rooftune_load_tuned", handle, text, check=self._made)
        self._declare("rooftune_free_tuned", None, handle)
        self._declare("rooftune_notices", ctypes.c_size_t, handle)
        self._declare("rooftune_notice", text, handle, ctypes.c_size_t)
        self._declare("rooftune_variant", text, handle)
        self._declare("rooftune_why", text, handle)
        self._declare("rooftune_free_plan", None, handle)
        for name, dtype in (("f64", np.float64), ("f32", np.float32)):
            self._declare(f"rooftune_spmv_plan_{name}", handle, handle, ctypes.c_int64, ctypes.c_int64, array(np.int64),
                          array(np.int32), array(dtype), ctypes.c_int, ctypes.c_int, check=self._made)
            self._declare(f"rooftune_spmv_{name}", ctypes.c_int, handle, array(dtype), array(dtype, "WRITEABLE"),
                          check=self._done)

    def _declare(self, name, result, *arguments, check=None):
        function = getattr(self.c, name)
        function.restype = result
        function.argtypes = arguments
        if check:
            function.errcheck = check

    def _made(self, pointer, function, arguments):
        # A pointer does not say which kind of failure it was: wrong input is by far the most frequent one.
        if not pointer:
            raise ValueError(self.c.rooftune_error().decode())
        return pointer

    def _done(self, status, function, arguments):
        if status:
            raise (ValueError if status == BAD_INPUT else EnvironmentFailed)(self.c.rooftune_error().decode())


class Tuned:
    """The tuned configs of a folder; None: of the one that ROOFTUNE_TUNED names, if it is set."""

    def __init__(self, library, folder=None):
        self.library = library
        c = library.c
        self.handle = c.rooftune_load_tuned(os.fsencode(folder) if folder is not None else None)
        weakref.finalize(self, c.rooftune_free_tuned, self.handle)
        self.notices = [c.rooftune_notice(self.handle, i).decode() for i in range(c.rooftune_notices(self.handle))]


class SpmvPlan:
    """Products with a CSR matrix of scipy's. The matrix is not needed any more afterwards."""

    def __init__(self, tuned, matrix, threads=0):
        if not scipy.sparse.issparse(matrix) or matrix.format != "csr":
            raise TypeError(f"{type(matrix).__name__} is no CSR matrix of scipy's; hand over matrix.tocsr()")
        kinds = {np.dtype(np.float64): "f64", np.dtype(np.float32): "f32"}
        if matrix.dtype not in kinds:
            raise TypeError(f"values of {matrix.dtype} have no kernels; hand over matrix.astype(numpy.float64)")
        kind = kinds[matrix.dtype]
        c = tuned.library.c
        self.shape, self.dtype = matrix.shape, matrix.dtype
        self._handle = getattr(c, f"rooftune_spmv_plan_{kind}")(
            tuned.handle, *matrix.shape, matrix.indptr.astype(np.int64, copy=False),
            matrix.indices.astype(np.int32, copy=False), matrix.data, 0, threads)
        weakref.finalize(self, c.rooftune_free_plan, self._handle)
        self._run = getattr(c, f"rooftune_spmv_{kind}")
        self.variant = c.rooftune_variant(self._handle).decode()
        self.why = c.rooftune_why(self._handle).decode()

    def run(self, x, y):
        """y = A x, into an array that is there. Other threads of Python's run meanwhile."""
        if x.shape != (self.shape[1],) or y.shape != (self.shape[0],):
            raise ValueError(f"x has the shape {x.shape} and y {y.shape}; a matrix of {self.shape[0]} rows and "
                             f"{self.shape[1]} columns takes x of {self.shape[1]} and y of {self.shape[0]}")
        self._run(self._handle, x, y)

    def __matmul__(self, x):
        y = np.empty(self.shape[0], self.dtype)
        self.run(x, y)
        return y


def solve(multiply, b, tolerance=1e-10, most=20000):
    """x with A x = b, and the number of iterations, for symmetric positive definite A; multiply(p, out) is out = A p.

    Ends where the residual is `tolerance` of b, or after `most` iterations. Raises ValueError where the matrix turns out
    not to be positive definite."""
    x, product, scratch = np.zeros_like(b), np.empty_like(b), np.empty_like(b)
    residual, direction = b.copy(), b.copy()
    rr = residual @ residual
    enough = tolerance**2 * rr
    iterations = 0
    while rr > enough and iterations < most:
        multiply(direction, product)
        curvature = direction @ product
        if not curvature > 0:
            raise ValueError("the matrix is not positive definite; conjugate gradients need one that is")
        step = rr / curvature
        x += np.multiply(direction, step, out=scratch)
        residual -= np.multiply(product, step, out=scratch)
        following = residual @ residual
        direction *= following / rr
        direction += residual
        rr = following
        iterations += 1
    return x, iterations


def laplacian(side):
    line = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(side, side))
    one = scipy.sparse.identity(side)
    return (scipy.sparse.kron(line, one) + scipy.sparse.kron(one, line)).tocsr()


def main(arguments):
    if len(arguments) not in (1, 2):
        print("usage: cg.py MATRIX.mtx|- [FOLDER]", file=sys.stderr)
        return 2
    name = arguments[0]
    matrix = laplacian(200) if name == "-" else scipy.io.mmread(name).tocsr()
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"{name}: {matrix.shape[0]} rows and {matrix.shape[1]} columns; give a square matrix")
    tuned = Tuned(Library(), arguments[1] if len(arguments) > 1 else None)
    for notice in tuned.notices:
        print("note:", notice, file=sys.stderr)
    plan = SpmvPlan(tuned, matrix)
    print(f"runs {plan.variant}: {plan.why}")
    ones = np.ones(matrix.shape[0], matrix.dtype)
    x, iterations = solve(plan.run, plan @ ones)
    print(f"{iterations} iterations; the solution is off by at most {np.abs(x - ones).max():.1e}")
    print("converged" if iterations < 20000 else "did not converge")
    return 0 if iterations < 20000 else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (ValueError, TypeError, OSError, RuntimeError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
