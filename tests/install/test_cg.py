"""Tests of tests/examples/cg.py: test_cg.py EXAMPLES, with ROOFTUNE_LIBRARY set. Ends with 1 where one fails."""
import gc
import sys
import threading
import unittest

import numpy as np
import scipy.sparse

sys.path.insert(0, sys.argv.pop(1))
import cg  # noqa: E402  (found by the path above)

library = cg.Library()
nothing = cg.Tuned(library)


def some_matrix(rows, cols, dtype, seed=1):
    """Whole numbers, whose sums are exact, and empty rows."""
    matrix = scipy.sparse.random(rows, cols, density=0.1, format="csr", random_state=seed)
    matrix.data = np.floor(matrix.data * 9 - 4)
    return matrix.astype(dtype)


class Products(unittest.TestCase):
    def test_are_those_of_scipy(self):
        for dtype in (np.float64, np.float32):
            for rows, cols in ((37, 53), (1, 1), (200, 3)):
                for threads in (0, 1):
                    matrix = some_matrix(rows, cols, dtype)
                    x = np.arange(cols, dtype=dtype)
                    self.assertTrue(np.array_equal(cg.SpmvPlan(nothing, matrix, threads) @ x, matrix @ x))

    def test_without_entries(self):
        for rows, cols in ((0, 0), (5, 0), (0, 5), (4, 4)):
            matrix = scipy.sparse.csr_matrix((rows, cols))
            self.assertTrue(np.array_equal(cg.SpmvPlan(nothing, matrix) @ np.ones(cols), np.zeros(rows)))

    def test_of_unsorted_rows_and_of_entries_of_one_place(self):
        matrix = scipy.sparse.csr_matrix((np.array([1.0, 2.0, 4.0]), np.array([2, 0, 2]), np.array([0, 3])), shape=(1, 3))
        self.assertEqual((cg.SpmvPlan(nothing, matrix) @ np.array([1.0, 10.0, 100.0]))[0], 502.0)

    def test_outlive_matrix_and_configs(self):
        tuned = cg.Tuned(library)
        matrix = some_matrix(50, 50, np.float64)
        x = np.ones(50)
        expected = matrix @ x
        plan = cg.SpmvPlan(tuned, matrix)
        matrix.data[:] = np.nan
        del tuned, matrix
        gc.collect()
        self.assertTrue(np.array_equal(plan @ x, expected))

    def test_read_columns_and_values_in_place(self):
        matrix = some_matrix(50, 50, np.float64)
        self.assertIs(matrix.indices.astype(np.int32, copy=False), matrix.indices)

    def test_from_several_threads(self):
        matrix = some_matrix(300, 300, np.float64)
        plan = cg.SpmvPlan(nothing, matrix)
        x = np.ones(300)
        expected, wrong = matrix @ x, []

        def run():
            for _ in range(50):
                if not np.array_equal(plan @ x, expected):
                    wrong.append(1)

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class WrongUse(unittest.TestCase):
    def setUp(self):
        self.matrix = some_matrix(4, 6, np.float64)
        self.plan = cg.SpmvPlan(nothing, self.matrix)

    def test_a_matrix_that_is_none(self):
        with self.assertRaisesRegex(TypeError, "tocsr"):
            cg.SpmvPlan(nothing, self.matrix.tocoo())
        with self.assertRaisesRegex(TypeError, "tocsr"):
            cg.SpmvPlan(nothing, np.ones((3, 3)))

    def test_values_of_another_type(self):
        with self.assertRaisesRegex(TypeError, "complex128"):
            cg.SpmvPlan(nothing, self.matrix.astype(complex))

    def test_arrays_that_lie(self):
        self.matrix.indices[0] = 77
        with self.assertRaisesRegex(ValueError, "column 77"):
            cg.SpmvPlan(nothing, self.matrix)

    def test_values_that_are_not_finite(self):
        self.matrix.data[0] = np.inf
        with self.assertRaisesRegex(ValueError, "not finite"):
            cg.SpmvPlan(nothing, self.matrix)

    def test_more_threads_than_there_are(self):
        with self.assertRaisesRegex(ValueError, "100000 threads"):
            cg.SpmvPlan(nothing, self.matrix, 100000)

    def test_vectors_of_another_length_type_or_layout(self):
        y = np.zeros(4)
        with self.assertRaisesRegex(ValueError, "6 columns"):
            self.plan.run(np.zeros(5), y)
        with self.assertRaises((TypeError, cg.ctypes.ArgumentError)):
            self.plan.run(np.zeros(6, np.float32), y)
        with self.assertRaises((TypeError, cg.ctypes.ArgumentError)):
            self.plan.run(np.zeros(12)[::2], y)
        y.flags.writeable = False
        with self.assertRaises((TypeError, cg.ctypes.ArgumentError)):
            self.plan.run(np.zeros(6), y)

    def test_vectors_that_overlap(self):
        both = np.zeros(8)
        with self.assertRaisesRegex(ValueError, "overlap"):
            self.plan.run(both[:6], both[4:])

    def test_a_folder_that_is_not_there(self):
        self.assertRegex(cg.Tuned(library, "not there").notices[0], "no such folder")


class Solving(unittest.TestCase):
    def test_finds_what_is_known(self):
        matrix = cg.laplacian(20)
        x, iterations = cg.solve(cg.SpmvPlan(nothing, matrix).run, matrix @ np.ones(400))
        self.assertLess(np.abs(x - 1).max(), 1e-8)
        self.assertGreater(iterations, 5)

    def test_says_when_a_matrix_is_not_positive_definite(self):
        matrix = scipy.sparse.diags([1.0, -1.0]).tocsr()
        with self.assertRaisesRegex(ValueError, "positive definite"):
            cg.solve(cg.SpmvPlan(nothing, matrix).run, np.array([1.0, 2.0]))


if __name__ == "__main__":
    unittest.main()
