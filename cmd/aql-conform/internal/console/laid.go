package console

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// LayDown puts files into a folder below a root, all of them or none: a reader meets
// the old folder or the new one. Nothing outside of the root is written to, whatever
// links lie in it.
func LayDown(rootName, place string, files map[string]func(io.Writer) error, force bool) (err error) {
	failed := func(err error) error { return Failure{ExitFault, fmt.Errorf("submit: %w", err)} }
	if err := os.MkdirAll(rootName, 0o777); err != nil {
		return failed(err)
	}
	root, err := os.OpenRoot(rootName)
	if err != nil {
		return failed(err)
	}
	defer root.Close()
	shown := filepath.Join(rootName, filepath.FromSlash(place))
	there, err := root.Lstat(place)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return failed(err)
	case !there.IsDir():
		return Usage("submit: %s is not a folder; remove it", shown)
	case !force:
		return Usage("submit: %s already has a submission; --force replaces it", shown)
	}
	made, err := makeFolders(root, path.Dir(place))
	defer func() {
		if err != nil {
			for _, folder := range slices.Backward(made) {
				root.Remove(folder) // only while nobody else put something there
			}
		}
	}()
	if err != nil {
		return failed(err)
	}
	temp := path.Join(path.Dir(place), "."+rand.Text()[:12]+".tmp")
	defer root.RemoveAll(temp)
	if err := fill(root, temp, files); err != nil {
		return failed(err)
	}
	if err := replace(root, temp, place, there != nil); err != nil {
		return failed(err)
	}
	return nil
}

// makeFolders makes what is missing on a way and returns it.
func makeFolders(root *os.Root, way string) (made []string, err error) {
	parts := strings.Split(way, "/")
	for i := range parts {
		folder := path.Join(parts[:i+1]...)
		switch err := root.Mkdir(folder, 0o777); {
		case err == nil:
			made = append(made, folder)
		case !errors.Is(err, fs.ErrExist):
			return made, err
		}
		if info, err := root.Lstat(folder); err != nil || !info.IsDir() {
			return made, fmt.Errorf("%s is not a folder of the registry; remove it", folder)
		}
	}
	return made, nil
}

// fill makes a folder and writes the files into it, down to the disk.
func fill(root *os.Root, folder string, files map[string]func(io.Writer) error) error {
	if err := root.Mkdir(folder, 0o777); err != nil {
		return err
	}
	for name, write := range files {
		f, err := root.OpenFile(path.Join(folder, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// replace gives a folder its name. What had it stands aside until then, and comes back
// when that fails.
func replace(root *os.Root, temp, place string, taken bool) error {
	if !taken {
		return root.Rename(temp, place)
	}
	old := temp + ".old"
	if err := root.Rename(place, old); err != nil {
		return err
	}
	if err := root.Rename(temp, place); err != nil {
		return errors.Join(err, root.Rename(old, place))
	}
	return root.RemoveAll(old)
}
