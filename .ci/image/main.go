// Command image writes an image that has one program and the certificates of authorities and
// nothing else, as an archive that "docker load" reads. It needs no daemon.
//
//	image -program FILE -certificates FILE -tag NAME:VERSION -o image.tar
package main

import (
	"archive/tar"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

func main() {
	program := flag.String("program", "", "the program for linux/amd64")
	certificates := flag.String("certificates", "", "certificates of authorities, in PEM")
	tag := flag.String("tag", "", "name and version")
	to := flag.String("o", "", "the archive")
	flag.Parse()
	if err := write(*program, *certificates, *tag, *to); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

func write(program, certificates, tag, to string) error {
	files, err := layer(map[string]string{"aql-conform": program, "etc/ssl/certs/ca-certificates.crt": certificates})
	if err != nil {
		return err
	}
	whole, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files)), nil })
	if err != nil {
		return err
	}
	image, err := mutate.AppendLayers(empty.Image, whole)
	if err != nil {
		return err
	}
	config := &v1.ConfigFile{OS: "linux", Architecture: "amd64", Config: v1.Config{User: "65532:65532", Entrypoint: []string{"/aql-conform"}}}
	if config.RootFS, err = rootOf(image); err != nil {
		return err
	}
	if image, err = mutate.ConfigFile(image, config); err != nil {
		return err
	}
	ref, err := name.NewTag(tag)
	if err != nil {
		return err
	}
	return tarball.WriteToFile(to, ref, image)
}

func rootOf(image v1.Image) (v1.RootFS, error) {
	config, err := image.ConfigFile()
	if err != nil {
		return v1.RootFS{}, err
	}
	return config.RootFS, nil
}

// layer packs files under other names. No date and no owner of this machine is in it.
func layer(sources map[string]string) ([]byte, error) {
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	for _, path := range []string{"aql-conform", "etc/", "etc/ssl/", "etc/ssl/certs/", "etc/ssl/certs/ca-certificates.crt"} {
		if strings.HasSuffix(path, "/") {
			if err := w.WriteHeader(&tar.Header{Name: path, Typeflag: tar.TypeDir, Mode: 0o755}); err != nil {
				return nil, err
			}
			continue
		}
		text, err := os.ReadFile(sources[path])
		if err != nil {
			return nil, err
		}
		if err := w.WriteHeader(&tar.Header{Name: path, Mode: 0o755, Size: int64(len(text))}); err != nil {
			return nil, err
		}
		if _, err := w.Write(text); err != nil {
			return nil, err
		}
	}
	return packed.Bytes(), w.Close()
}
