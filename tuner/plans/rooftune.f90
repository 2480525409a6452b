!> The functions of rooftune_c.h, which says what each of them does, for programs in Fortran.
!>
!> Compilers do not read each other's compiled modules, so this one is installed as source: compile it with the
!> program, before what uses it. A handle (of configs, of a plan) is a type(c_ptr), and c_null_ptr where C has NULL.
!> Arrays are handed over as they are, of any rank; one that the program builds counts from 1, as sparse matrices do
!> with base = 1, and matrices lie column by column, which rooftune_matmul_plan_ld_f64() and _f32() are told by
!> column_major = 1. Hand over contiguous arrays: of a section with gaps a compiler makes a copy for each call, and threads
!> that run parts of one plan would overwrite each other's. An executor is c_funloc() of a subroutine with bind(c).
module rooftune
    use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_double, c_f_pointer, c_float, c_funptr, c_int, &
        c_int32_t, c_int64_t, c_null_ptr, c_ptr, c_size_t
    implicit none

    !> What functions return.
    integer(c_int), parameter :: ROOFTUNE_OK = 0
    integer(c_int), parameter :: ROOFTUNE_BAD_INPUT = 2
    integer(c_int), parameter :: ROOFTUNE_BAD_ENVIRONMENT = 3
    !> Where a plan's variant is from.
    integer(c_int), parameter :: ROOFTUNE_TUNED = 0
    integer(c_int), parameter :: ROOFTUNE_NEARBY = 1
    integer(c_int), parameter :: ROOFTUNE_FALLBACK = 2

    interface
        !> A C text; rooftune_text() makes one of Fortran of it.
        function rooftune_error() bind(c)
            import
            type(c_ptr) :: rooftune_error
        end function

        ! ---- what was tuned ----

        !> `folder` ends with c_null_char; without it, the folder is the one that ROOFTUNE_TUNED names.
        function rooftune_load_tuned(folder) bind(c)
            import
            character(kind=c_char), intent(in), optional :: folder(*)
            type(c_ptr) :: rooftune_load_tuned
        end function
        subroutine rooftune_free_tuned(tuned) bind(c)
            import
            type(c_ptr), value :: tuned
        end subroutine
        function rooftune_notices(tuned) bind(c)
            import
            type(c_ptr), value :: tuned
            integer(c_size_t) :: rooftune_notices
        end function
        !> Counted from 0.
        function rooftune_notice(tuned, index) bind(c)
            import
            type(c_ptr), value :: tuned
            integer(c_size_t), value :: index
            type(c_ptr) :: rooftune_notice
        end function

        ! ---- plans ----

        function rooftune_from(plan) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int) :: rooftune_from
        end function
        function rooftune_variant(plan) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_ptr) :: rooftune_variant
        end function
        function rooftune_why(plan) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_ptr) :: rooftune_why
        end function
        subroutine rooftune_free_plan(plan) bind(c)
            import
            type(c_ptr), value :: plan
        end subroutine
        function rooftune_memory_bytes(plan) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_size_t) :: rooftune_memory_bytes
        end function

        ! ---- sparse matrices ----

        function rooftune_spmv_plan_f64(tuned, rows, cols, row_begin, column, value, base, threads) bind(c)
            import
            type(c_ptr), value :: tuned
            integer(c_int64_t), value :: rows, cols
            integer(c_int64_t), intent(in) :: row_begin(*)
            integer(c_int32_t), intent(in) :: column(*)
            real(c_double), intent(in) :: value(*)
            integer(c_int), value :: base, threads
            type(c_ptr) :: rooftune_spmv_plan_f64
        end function
        function rooftune_spmv_plan_f32(tuned, rows, cols, row_begin, column, value, base, threads) bind(c)
            import
            type(c_ptr), value :: tuned
            integer(c_int64_t), value :: rows, cols
            integer(c_int64_t), intent(in) :: row_begin(*)
            integer(c_int32_t), intent(in) :: column(*)
            real(c_float), intent(in) :: value(*)
            integer(c_int), value :: base, threads
            type(c_ptr) :: rooftune_spmv_plan_f32
        end function
        function rooftune_spmv_f64(plan, x, y) bind(c)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: x(*)
            real(c_double), intent(inout) :: y(*)
            integer(c_int) :: rooftune_spmv_f64
        end function
        function rooftune_spmv_f32(plan, x, y) bind(c)
            import
            type(c_ptr), value :: plan
            real(c_float), intent(in) :: x(*)
            real(c_float), intent(inout) :: y(*)
            integer(c_int) :: rooftune_spmv_f32
        end function
        function rooftune_spmv_scaled_f64(plan, alpha, x, beta, y) bind(c)
            import
            type(c_ptr), value :: plan
            real(c_double), value :: alpha
            real(c_double), intent(in) :: x(*)
            real(c_double), value :: beta
            real(c_double), intent(inout) :: y(*)
            integer(c_int) :: rooftune_spmv_scaled_f64
        end function
        function rooftune_spmv_scaled_f32(plan, alpha, x, beta, y) bind(c)
            import
            type(c_ptr), value :: plan
            real(c_float), value :: alpha
            real(c_float), intent(in) :: x(*)
            real(c_float), value :: beta
            real(c_float), intent(inout) :: y(*)
            integer(c_int) :: rooftune_spmv_scaled_f32
        end function
        function rooftune_spmv_transposed_f64(plan, alpha, x, beta, y) bind(c)
            import
            type(c_ptr), value :: plan
            real(c_double), value :: alpha
            real(c_double), intent(in) :: x(*)
            real(c_double), value :: beta
            real(c_double), intent(inout) :: y(*)
            integer(c_int) :: rooftune_spmv_transposed_f64
        end function
        function rooftune_spmv_transposed_f32(plan, alpha, x, beta, y) bind(c)
            import
            type(c_ptr), value :: plan
            real(c_float), value :: alpha
            real(c_float), intent(in) :: x(*)
            real(c_float), value :: beta
            real(c_float), intent(inout) :: y(*)
            integer(c_int) :: rooftune_spmv_transposed_f32
        end function
        function rooftune_spmv_columns_f64(plan, transposed, columns, alpha, x, ldx, beta, y, ldy) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int), value :: transposed
            integer(c_int64_t), value :: columns
            real(c_double), value :: alpha
            real(c_double), intent(in) :: x(*)
            integer(c_int64_t), value :: ldx
            real(c_double), value :: beta
            real(c_double), intent(inout) :: y(*)
            integer(c_int64_t), value :: ldy
            integer(c_int) :: rooftune_spmv_columns_f64
        end function
        function rooftune_spmv_columns_f32(plan, transposed, columns, alpha, x, ldx, beta, y, ldy) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int), value :: transposed
            integer(c_int64_t), value :: columns
            real(c_float), value :: alpha
            real(c_float), intent(in) :: x(*)
            integer(c_int64_t), value :: ldx
            real(c_float), value :: beta
            real(c_float), intent(inout) :: y(*)
            integer(c_int64_t), value :: ldy
            integer(c_int) :: rooftune_spmv_columns_f32
        end function
        function rooftune_spmv_interleaved_f64(plan, transposed, columns, alpha, x, ldx, beta, y, ldy) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int), value :: transposed
            integer(c_int64_t), value :: columns
            real(c_double), value :: alpha
            real(c_double), intent(in) :: x(*)
            integer(c_int64_t), value :: ldx
            real(c_double), value :: beta
            real(c_double), intent(inout) :: y(*)
            integer(c_int64_t), value :: ldy
            integer(c_int) :: rooftune_spmv_interleaved_f64
        end function
        function rooftune_spmv_interleaved_f32(plan, transposed, columns, alpha, x, ldx, beta, y, ldy) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int), value :: transposed
            integer(c_int64_t), value :: columns
            real(c_float), value :: alpha
            real(c_float), intent(in) :: x(*)
            integer(c_int64_t), value :: ldx
            real(c_float), value :: beta
            real(c_float), intent(inout) :: y(*)
            integer(c_int64_t), value :: ldy
            integer(c_int) :: rooftune_spmv_interleaved_f32
        end function
        function rooftune_spmv_update_values_f64(plan, value, count) bind(c)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: value(*)
            integer(c_int64_t), value :: count
            integer(c_int) :: rooftune_spmv_update_values_f64
        end function
        function rooftune_spmv_update_values_f32(plan, value, count) bind(c)
            import
            type(c_ptr), value :: plan
            real(c_float), intent(in) :: value(*)
            integer(c_int64_t), value :: count
            integer(c_int) :: rooftune_spmv_update_values_f32
        end function
        !> value: c_loc() of an array with the TARGET attribute, which the plan reads from then on.
        function rooftune_spmv_view_values_f64(plan, value, count) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_ptr), value :: value
            integer(c_int64_t), value :: count
            integer(c_int) :: rooftune_spmv_view_values_f64
        end function
        function rooftune_spmv_view_values_f32(plan, value, count) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_ptr), value :: value
            integer(c_int64_t), value :: count
            integer(c_int) :: rooftune_spmv_view_values_f32
        end function
        function rooftune_spmv_update_values_on_f64(plan, executor, data, value, count) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_funptr), value :: executor
            type(c_ptr), value :: data
            real(c_double), intent(in) :: value(*)
            integer(c_int64_t), value :: count
            integer(c_int) :: rooftune_spmv_update_values_on_f64
        end function
        function rooftune_spmv_update_values_on_f32(plan, executor, data, value, count) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_funptr), value :: executor
            type(c_ptr), value :: data
            real(c_float), intent(in) :: value(*)
            integer(c_int64_t), value :: count
            integer(c_int) :: rooftune_spmv_update_values_on_f32
        end function
        function rooftune_spmv_memory_bytes_f64(tuned, rows, cols, row_begin, column, value, base, threads) bind(c)
            import
            type(c_ptr), value :: tuned
            integer(c_int64_t), value :: rows, cols
            integer(c_int64_t), intent(in) :: row_begin(*)
            integer(c_int32_t), intent(in) :: column(*)
            real(c_double), intent(in) :: value(*)
            integer(c_int), value :: base, threads
            integer(c_size_t) :: rooftune_spmv_memory_bytes_f64
        end function
        function rooftune_spmv_memory_bytes_f32(tuned, rows, cols, row_begin, column, value, base, threads) bind(c)
            import
            type(c_ptr), value :: tuned
            integer(c_int64_t), value :: rows, cols
            integer(c_int64_t), intent(in) :: row_begin(*)
            integer(c_int32_t), intent(in) :: column(*)
            real(c_float), intent(in) :: value(*)
            integer(c_int), value :: base, threads
            integer(c_size_t) :: rooftune_spmv_memory_bytes_f32
        end function
        function rooftune_spmv_part_f64(plan, part, n, x, y) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int), value :: part, n
            real(c_double), intent(in) :: x(*)
            real(c_double), intent(inout) :: y(*)
            integer(c_int) :: rooftune_spmv_part_f64
        end function
        function rooftune_spmv_part_f32(plan, part, n, x, y) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int), value :: part, n
            real(c_float), intent(in) :: x(*)
            real(c_float), intent(inout) :: y(*)
            integer(c_int) :: rooftune_spmv_part_f32
        end function
        function rooftune_spmv_columns_on_f64(plan, executor, data, transposed, columns, alpha, &
            x, ldx, beta, y, ldy) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_funptr), value :: executor
            type(c_ptr), value :: data
            integer(c_int), value :: transposed
            integer(c_int64_t), value :: columns
            real(c_double), value :: alpha
            real(c_double), intent(in) :: x(*)
            integer(c_int64_t), value :: ldx
            real(c_double), value :: beta
            real(c_double), intent(inout) :: y(*)
            integer(c_int64_t), value :: ldy
            integer(c_int) :: rooftune_spmv_columns_on_f64
        end function
        function rooftune_spmv_columns_on_f32(plan, executor, data, transposed, columns, alpha, &
            x, ldx, beta, y, ldy) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_funptr), value :: executor
            type(c_ptr), value :: data
            integer(c_int), value :: transposed
            integer(c_int64_t), value :: columns
            real(c_float), value :: alpha
            real(c_float), intent(in) :: x(*)
            integer(c_int64_t), value :: ldx
            real(c_float), value :: beta
            real(c_float), intent(inout) :: y(*)
            integer(c_int64_t), value :: ldy
            integer(c_int) :: rooftune_spmv_columns_on_f32
        end function
        function rooftune_spmv_interleaved_on_f64(plan, executor, data, transposed, columns, alpha, &
            x, ldx, beta, y, ldy) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_funptr), value :: executor
            type(c_ptr), value :: data
            integer(c_int), value :: transposed
            integer(c_int64_t), value :: columns
            real(c_double), value :: alpha
            real(c_double), intent(in) :: x(*)
            integer(c_int64_t), value :: ldx
            real(c_double), value :: beta
            real(c_double), intent(inout) :: y(*)
            integer(c_int64_t), value :: ldy
            integer(c_int) :: rooftune_spmv_interleaved_on_f64
        end function
        function rooftune_spmv_interleaved_on_f32(plan, executor, data, transposed, columns, alpha, &
            x, ldx, beta, y, ldy) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_funptr), value :: executor
            type(c_ptr), value :: data
            integer(c_int), value :: transposed
            integer(c_int64_t), value :: columns
            real(c_float), value :: alpha
            real(c_float), intent(in) :: x(*)
            integer(c_int64_t), value :: ldx
            real(c_float), value :: beta
            real(c_float), intent(inout) :: y(*)
            integer(c_int64_t), value :: ldy
            integer(c_int) :: rooftune_spmv_interleaved_on_f32
        end function
        function rooftune_spmv_on_f64(plan, executor, data, x, y) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_funptr), value :: executor
            type(c_ptr), value :: data
            real(c_double), intent(in) :: x(*)
            real(c_double), intent(inout) :: y(*)
            integer(c_int) :: rooftune_spmv_on_f64
        end function
        function rooftune_spmv_on_f32(plan, executor, data, x, y) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_funptr), value :: executor
            type(c_ptr), value :: data
            real(c_float), intent(in) :: x(*)
            real(c_float), intent(inout) :: y(*)
            integer(c_int) :: rooftune_spmv_on_f32
        end function

        ! ---- matrix products ----

        function rooftune_matmul_plan_f64(tuned, m, n, k, alpha, beta, transpose_a, transpose_b, threads) bind(c)
            import
            type(c_ptr), value :: tuned
            integer(c_int64_t), value :: m, n, k
            real(c_double), value :: alpha, beta
            integer(c_int), value :: transpose_a, transpose_b, threads
            type(c_ptr) :: rooftune_matmul_plan_f64
        end function
        function rooftune_matmul_plan_f32(tuned, m, n, k, alpha, beta, transpose_a, transpose_b, threads) bind(c)
            import
            type(c_ptr), value :: tuned
            integer(c_int64_t), value :: m, n, k
            real(c_double), value :: alpha, beta
            integer(c_int), value :: transpose_a, transpose_b, threads
            type(c_ptr) :: rooftune_matmul_plan_f32
        end function
        function rooftune_matmul_f64(plan, a, b, c) bind(c)
            import
            type(c_ptr), value :: plan
            real(c_double), intent(in) :: a(*), b(*)
            real(c_double), intent(inout) :: c(*)
            integer(c_int) :: rooftune_matmul_f64
        end function
        function rooftune_matmul_f32(plan, a, b, c) bind(c)
            import
            type(c_ptr), value :: plan
            real(c_float), intent(in) :: a(*), b(*)
            real(c_float), intent(inout) :: c(*)
            integer(c_int) :: rooftune_matmul_f32
        end function
        function rooftune_matmul_plan_ld_f64(tuned, column_major, m, n, k, alpha, beta, transpose_a, transpose_b, &
            lda, ldb, ldc, threads) bind(c)
            import
            type(c_ptr), value :: tuned
            integer(c_int), value :: column_major
            integer(c_int64_t), value :: m, n, k
            real(c_double), value :: alpha, beta
            integer(c_int), value :: transpose_a, transpose_b
            integer(c_int64_t), value :: lda, ldb, ldc
            integer(c_int), value :: threads
            type(c_ptr) :: rooftune_matmul_plan_ld_f64
        end function
        function rooftune_matmul_plan_ld_f32(tuned, column_major, m, n, k, alpha, beta, transpose_a, transpose_b, &
            lda, ldb, ldc, threads) bind(c)
            import
            type(c_ptr), value :: tuned
            integer(c_int), value :: column_major
            integer(c_int64_t), value :: m, n, k
            real(c_double), value :: alpha, beta
            integer(c_int), value :: transpose_a, transpose_b
            integer(c_int64_t), value :: lda, ldb, ldc
            integer(c_int), value :: threads
            type(c_ptr) :: rooftune_matmul_plan_ld_f32
        end function
        function rooftune_matmul_scaled_f64(plan, alpha, a, b, beta, c) bind(c)
            import
            type(c_ptr), value :: plan
            real(c_double), value :: alpha
            real(c_double), intent(in) :: a(*), b(*)
            real(c_double), value :: beta
            real(c_double), intent(inout) :: c(*)
            integer(c_int) :: rooftune_matmul_scaled_f64
        end function
        function rooftune_matmul_scaled_f32(plan, alpha, a, b, beta, c) bind(c)
            import
            type(c_ptr), value :: plan
            real(c_float), value :: alpha
            real(c_float), intent(in) :: a(*), b(*)
            real(c_float), value :: beta
            real(c_float), intent(inout) :: c(*)
            integer(c_int) :: rooftune_matmul_scaled_f32
        end function
        function rooftune_matmul_strided_f64(plan, count, alpha, a, stride_a, b, stride_b, beta, c, stride_c) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: count
            real(c_double), value :: alpha
            real(c_double), intent(in) :: a(*)
            integer(c_int64_t), value :: stride_a
            real(c_double), intent(in) :: b(*)
            integer(c_int64_t), value :: stride_b
            real(c_double), value :: beta
            real(c_double), intent(inout) :: c(*)
            integer(c_int64_t), value :: stride_c
            integer(c_int) :: rooftune_matmul_strided_f64
        end function
        function rooftune_matmul_strided_f32(plan, count, alpha, a, stride_a, b, stride_b, beta, c, stride_c) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: count
            real(c_float), value :: alpha
            real(c_float), intent(in) :: a(*)
            integer(c_int64_t), value :: stride_a
            real(c_float), intent(in) :: b(*)
            integer(c_int64_t), value :: stride_b
            real(c_float), value :: beta
            real(c_float), intent(inout) :: c(*)
            integer(c_int64_t), value :: stride_c
            integer(c_int) :: rooftune_matmul_strided_f32
        end function
        function rooftune_matmul_pointers_f64(plan, count, alpha, a, b, beta, c) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: count
            real(c_double), value :: alpha
            type(c_ptr), intent(in) :: a(*), b(*)
            real(c_double), value :: beta
            type(c_ptr), intent(in) :: c(*)
            integer(c_int) :: rooftune_matmul_pointers_f64
        end function
        function rooftune_matmul_pointers_f32(plan, count, alpha, a, b, beta, c) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: count
            real(c_float), value :: alpha
            type(c_ptr), intent(in) :: a(*), b(*)
            real(c_float), value :: beta
            type(c_ptr), intent(in) :: c(*)
            integer(c_int) :: rooftune_matmul_pointers_f32
        end function
        function rooftune_matmul_memory_bytes_f64(tuned, column_major, m, n, k, alpha, beta, transpose_a, &
            transpose_b, threads) bind(c)
            import
            type(c_ptr), value :: tuned
            integer(c_int), value :: column_major
            integer(c_int64_t), value :: m, n, k
            real(c_double), value :: alpha, beta
            integer(c_int), value :: transpose_a, transpose_b, threads
            integer(c_size_t) :: rooftune_matmul_memory_bytes_f64
        end function
        function rooftune_matmul_memory_bytes_f32(tuned, column_major, m, n, k, alpha, beta, transpose_a, &
            transpose_b, threads) bind(c)
            import
            type(c_ptr), value :: tuned
            integer(c_int), value :: column_major
            integer(c_int64_t), value :: m, n, k
            real(c_double), value :: alpha, beta
            integer(c_int), value :: transpose_a, transpose_b, threads
            integer(c_size_t) :: rooftune_matmul_memory_bytes_f32
        end function
        function rooftune_matmul_part_f64(plan, part, n, a, b, c) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int), value :: part, n
            real(c_double), intent(in) :: a(*), b(*)
            real(c_double), intent(inout) :: c(*)
            integer(c_int) :: rooftune_matmul_part_f64
        end function
        function rooftune_matmul_part_f32(plan, part, n, a, b, c) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int), value :: part, n
            real(c_float), intent(in) :: a(*), b(*)
            real(c_float), intent(inout) :: c(*)
            integer(c_int) :: rooftune_matmul_part_f32
        end function
        function rooftune_matmul_on_f64(plan, executor, data, a, b, c) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_funptr), value :: executor
            type(c_ptr), value :: data
            real(c_double), intent(in) :: a(*), b(*)
            real(c_double), intent(inout) :: c(*)
            integer(c_int) :: rooftune_matmul_on_f64
        end function
        function rooftune_matmul_on_f32(plan, executor, data, a, b, c) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_funptr), value :: executor
            type(c_ptr), value :: data
            real(c_float), intent(in) :: a(*), b(*)
            real(c_float), intent(inout) :: c(*)
            integer(c_int) :: rooftune_matmul_on_f32
        end function

        ! ---- stencils ----

        function rooftune_stencil_plan_f64(tuned, nx, ny, nz, points, steps, periodic, coefficients, threads) bind(c)
            import
            type(c_ptr), value :: tuned
            integer(c_int64_t), value :: nx, ny, nz
            integer(c_int), value :: points
            integer(c_int64_t), value :: steps
            integer(c_int), value :: periodic
            real(c_double), intent(in) :: coefficients(4)
            integer(c_int), value :: threads
            type(c_ptr) :: rooftune_stencil_plan_f64
        end function
        function rooftune_stencil_plan_f32(tuned, nx, ny, nz, points, steps, periodic, coefficients, threads) bind(c)
            import
            type(c_ptr), value :: tuned
            integer(c_int64_t), value :: nx, ny, nz
            integer(c_int), value :: points
            integer(c_int64_t), value :: steps
            integer(c_int), value :: periodic
            real(c_double), intent(in) :: coefficients(4)
            integer(c_int), value :: threads
            type(c_ptr) :: rooftune_stencil_plan_f32
        end function
        !> `value` is c_funloc() of a function with bind(c): real(c_double) of a type(c_ptr) and three
        !> integer(c_int64_t), all of them by value, which count from 0 within the grid.
        function rooftune_stencil_fill(plan, value, context) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_funptr), value :: value
            type(c_ptr), value :: context
            integer(c_int) :: rooftune_stencil_fill
        end function
        !> y and z count from 0; c_f_pointer() makes an array of it.
        function rooftune_stencil_row_f64(plan, y, z) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: y, z
            type(c_ptr) :: rooftune_stencil_row_f64
        end function
        function rooftune_stencil_row_f32(plan, y, z) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: y, z
            type(c_ptr) :: rooftune_stencil_row_f32
        end function
        function rooftune_stencil_run(plan) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int) :: rooftune_stencil_run
        end function
        function rooftune_stencil_advance(plan, steps, coefficients) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: steps
            real(c_double), intent(in), optional :: coefficients(4)
            integer(c_int) :: rooftune_stencil_advance
        end function
        function rooftune_stencil_memory_bytes_f64(tuned, nx, ny, nz, points, steps, periodic, threads) bind(c)
            import
            type(c_ptr), value :: tuned
            integer(c_int64_t), value :: nx, ny, nz
            integer(c_int), value :: points
            integer(c_int64_t), value :: steps
            integer(c_int), value :: periodic, threads
            integer(c_size_t) :: rooftune_stencil_memory_bytes_f64
        end function
        function rooftune_stencil_memory_bytes_f32(tuned, nx, ny, nz, points, steps, periodic, threads) bind(c)
            import
            type(c_ptr), value :: tuned
            integer(c_int64_t), value :: nx, ny, nz
            integer(c_int), value :: points
            integer(c_int64_t), value :: steps
            integer(c_int), value :: periodic, threads
            integer(c_size_t) :: rooftune_stencil_memory_bytes_f32
        end function
        function rooftune_stencil_part(plan, part, n) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int), value :: part, n
            integer(c_int) :: rooftune_stencil_part
        end function
        function rooftune_stencil_on(plan, executor, data) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_funptr), value :: executor
            type(c_ptr), value :: data
            integer(c_int) :: rooftune_stencil_on
        end function
    end interface

contains

    !> A text that a C function returned, as one of Fortran; empty for c_null_ptr.
    function rooftune_text(text) result(copy)
        type(c_ptr), intent(in) :: text
        character(:), allocatable :: copy
        character(kind=c_char), pointer :: bytes(:)
        integer :: i, length
        interface
            function text_length(text) bind(c, name='strlen')
                import
                type(c_ptr), value :: text
                integer(c_size_t) :: text_length
            end function
        end interface

        length = 0
        if (c_associated(text)) length = int(text_length(text))
        allocate (character(length) :: copy)
        if (length == 0) return
        call c_f_pointer(text, bytes, [length])
        do i = 1, length
            copy(i:i) = bytes(i)
        end do
    end function
end module
