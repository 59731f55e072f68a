package board

import (
	"errors"

	"golang.org/x/sys/unix"
)

// exchange gives the folder its name in one step; what had the name has that of the temporary folder
// then, which is removed.
func exchange(temp, out string) error {
	err := unix.Renameat2(unix.AT_FDCWD, temp, unix.AT_FDCWD, out, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) { // nothing has the name, or the file system cannot
		return aside(temp, out)
	}
	return err
}
