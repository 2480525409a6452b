! Each plan from Fortran: a sparse product, a product of matrices, steps of a stencil.
!
!   fortran_plans [FOLDER OF TUNED CONFIGS]
module falling
    use, intrinsic :: iso_c_binding
    implicit none
contains
    ! What the grid holds at first: the plane x. A plane is what the differences of a stencil leave as it is.
    function plane(context, x, y, z) bind(c)
        type(c_ptr), value :: context
        integer(c_int64_t), value :: x, y, z
        real(c_double) :: plane
        real(c_double), pointer :: slope

        call c_f_pointer(context, slope)
        plane = slope * real(x, c_double) + 0 * real(y + z, c_double)
    end function
end module

program plans
    use, intrinsic :: iso_c_binding
    use rooftune
    use falling
    implicit none
    type(c_ptr) :: tuned
    logical :: right
    character(4096) :: folder
    integer(c_size_t) :: i

    if (command_argument_count() > 0) then
        call get_command_argument(1, folder)
        tuned = rooftune_load_tuned(trim(folder)//c_null_char)
    else
        tuned = rooftune_load_tuned()
    end if
    do i = 1, rooftune_notices(tuned)
        print '(2a)', 'note: ', rooftune_text(rooftune_notice(tuned, i - 1))
    end do
    right = is_sparse_product_right()
    right = is_product_right() .and. right
    right = is_stencil_right() .and. right
    right = is_told_what_is_wrong() .and. right
    call rooftune_free_tuned(tuned)
    if (.not. right) then
        print '(a)', 'WRONG'
        stop 1
    end if
    print '(a)', 'as it must be'

contains

    ! Ends the program with what the library says, unless there is a plan; tells what it runs.
    subroutine tell(plan)
        type(c_ptr), intent(in) :: plan

        if (.not. c_associated(plan)) call end_with_error
        print '(4a)', 'runs ', rooftune_text(rooftune_variant(plan)), ': ', rooftune_text(rooftune_why(plan))
    end subroutine

    subroutine check(status)
        integer(c_int), intent(in) :: status

        if (status /= ROOFTUNE_OK) call end_with_error
    end subroutine

    subroutine end_with_error
        print '(2a)', 'error: ', rooftune_text(rooftune_error())
        stop 2
    end subroutine

    ! 4 0 1
    ! 0 0 0
    ! 2 3 0
    function is_sparse_product_right() result(right)
        integer(c_int64_t), parameter :: row_begin(4) = [1, 3, 3, 5]
        integer(c_int32_t), parameter :: column(4) = [1, 3, 1, 2]
        real(c_double), parameter :: value(4) = [4, 1, 2, 3], x(3) = [1, 10, 100]
        real(c_double) :: y(3)
        real(c_float) :: y_single(3)
        type(c_ptr) :: plan
        logical :: right

        plan = rooftune_spmv_plan_f64(tuned, 3_c_int64_t, 3_c_int64_t, row_begin, column, value, 1, 0)
        call tell(plan)
        call check(rooftune_spmv_f64(plan, x, y))
        call rooftune_free_plan(plan)
        plan = rooftune_spmv_plan_f32(tuned, 3_c_int64_t, 3_c_int64_t, row_begin, column, real(value, c_float), 1, 1)
        call check(rooftune_spmv_f32(plan, real(x, c_float), y_single))
        call rooftune_free_plan(plan)
        right = all(nint(y) == [104, 0, 32]) .and. all(nint(y_single) == [104, 0, 32])
    end function

    function is_product_right() result(right)
        integer, parameter :: m = 5, n = 3, k = 4
        real(c_double) :: a(m, k), b(k, n), c(m, n)
        integer :: row, col
        type(c_ptr) :: plan
        logical :: right

        do col = 1, k
            a(:, col) = [(row + 10 * col, row = 1, m)]
        end do
        do col = 1, n
            b(:, col) = [(row - col, row = 1, k)]
        end do
        plan = rooftune_matmul_plan_ld_f64(tuned, 1, int(m, c_int64_t), int(n, c_int64_t), int(k, c_int64_t), &
            1.0_c_double, 0.0_c_double, 0, 0, 0_c_int64_t, 0_c_int64_t, 0_c_int64_t, 0)
        call tell(plan)
        call check(rooftune_matmul_f64(plan, a, b, c))
        call rooftune_free_plan(plan)
        right = all(nint(c) == nint(matmul(a, b)))
    end function

    function is_stencil_right() result(right)
        integer(c_int64_t), parameter :: nx = 6, ny = 4, nz = 3
        real(c_double), target :: slope
        real(c_double), pointer :: row(:)
        type(c_ptr) :: plan
        integer :: x
        logical :: right

        plan = rooftune_stencil_plan_f64(tuned, nx, ny, nz, 7, 2_c_int64_t, 0, &
            [0.25_c_double, 0.125_c_double, 0.0_c_double, 0.0_c_double], 0)
        call tell(plan)
        slope = 3
        call check(rooftune_stencil_fill(plan, c_funloc(plane), c_loc(slope)))
        call check(rooftune_stencil_run(plan))
        call c_f_pointer(rooftune_stencil_row_f64(plan, 1_c_int64_t, 2_c_int64_t), row, [nx])
        right = all(nint(row) == [(3 * x, x = 0, 5)])
        call rooftune_free_plan(plan)
    end function

    ! Columns that count from 1 are outside when they are taken for ones that count from 0.
    function is_told_what_is_wrong() result(right)
        type(c_ptr) :: plan
        logical :: right

        plan = rooftune_spmv_plan_f64(tuned, 1_c_int64_t, 1_c_int64_t, [0_c_int64_t, 1_c_int64_t], [1_c_int32_t], &
            [1.0_c_double], 0, 1)
        right = .not. c_associated(plan) .and. index(rooftune_text(rooftune_error()), 'check the base') > 0
    end function
end program
