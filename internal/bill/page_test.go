package bill

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"math"
	"os"
	"testing"
)

// TestPageFiles_CoverTheBuild measures the built web app.
func TestPageFiles_CoverTheBuild(t *testing.T) {
	t.Parallel()
	files, size := 1, 0 // the configuration
	err := fs.WalkDir(os.DirFS("../../web/dist"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile("../../web/dist/" + name)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write(text) // to memory
		_ = w.Close()
		files, size = files+1, size+b.Len()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 5 || files > PageFiles || size > PageKB*1000 {
		t.Errorf("the page has %d files of %d bytes, and the bill states at most %d of %d KB", files, size, PageFiles, PageKB)
	}
}

// TestPageLines_AddUpByHand computes the price of a million visits in another way.
func TestPageLines_AddUpByHand(t *testing.T) {
	t.Parallel()
	rest, free, beyond := Total(pageLines(0, true)), Total(pageLines(1e6, true)), Total(pageLines(1e6, false))
	stored, reads := 0.001*0.023, 90*0.4
	for name, pair := range map[string][2]float64{
		"at rest":              {rest, stored},
		"with the free tier":   {free, stored + reads + 80*1.0},
		"beyond the free tier": {beyond, stored + reads + 90*1.0 + 220*0.085},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-9 {
			t.Errorf("%s a million visits cost $%v, want $%v", name, pair[0], pair[1])
		}
	}
}
