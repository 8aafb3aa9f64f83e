package measure

import (
	"archive/zip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"example.com/parley/internal/config"
	"example.com/parley/internal/test/runtimestub"
)

const (
	starts     = 15               // of each function; the figure is the median
	startLimit = 30 * time.Second // of one start, emulated on a busy machine
	megabyte   = 1e6              // not 1 << 20, which is a MiB
	emulator   = "qemu-aarch64-static"
)

// Sizes measures the functions as they ship: the binary, the zip, and the time from the start of
// the process to its first poll. Starts are native and emulated.
func Sizes(ctx context.Context, functions []string, scale Scale) ([]Figure, error) {
	dir, err := os.MkdirTemp("", "sizes")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var figures []Figure
	archs := []string{"amd64", "arm64"}
	for _, f := range functions[:scale.of(len(functions))] {
		for _, arch := range archs[:scale.of(len(archs))] {
			some, err := sizesOf(ctx, f, arch, filepath.Join(dir, f+"-"+arch), scale)
			if err != nil {
				return nil, fmt.Errorf("%s for %s: %w", f, arch, err)
			}
			figures = append(figures, some...)
		}
	}
	return figures, nil
}

func sizesOf(ctx context.Context, function, arch, binary string, scale Scale) ([]Figure, error) {
	if err := buildFunction(ctx, function, arch, binary); err != nil {
		return nil, err
	}
	info, err := os.Stat(binary)
	if err != nil {
		return nil, err
	}
	zipped, err := zipSize(binary)
	if err != nil {
		return nil, err
	}
	what := function + ", " + arch
	figures := []Figure{
		{
			Name: "binary, " + what, Value: fmt.Sprintf("%.2f MB", float64(info.Size())/megabyte),
			Goal: binaryGoal(function, arch),
		},
		{Name: "zip, " + what, Value: fmt.Sprintf("%.2f MB", float64(zipped)/megabyte)},
	}
	command := []string{binary}
	if arch == "arm64" {
		if !installed(emulator) {
			return append(figures, Figure{Name: "start, emulated, " + what, Value: "no " + emulator}), nil
		}
		command = []string{emulator, binary}
	}
	took, err := medianStart(ctx, command, scale)
	if err != nil {
		return nil, err
	}
	start := Figure{
		Name: "start, " + what, Value: fmt.Sprintf("%.1f ms", float64(took.Microseconds())/1000), Goal: "≤ 4.7 ms",
	}
	if arch == "arm64" {
		start.Name, start.Goal = "start, emulated, "+what, ""
	}
	return append(figures, start), nil
}

// binaryGoal returns the goal for a binary as it ships.
func binaryGoal(function, arch string) string {
	switch {
	case arch != "arm64":
		return ""
	case function == "feed":
		return "≤ 8.0 MB"
	default:
		return "≤ 8.8 MB"
	}
}

func installed(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

func buildFunction(ctx context.Context, function, arch, binary string) error {
	build := exec.CommandContext(
		ctx, "go", "build", "-trimpath", "-buildvcs=false", "-tags", "lambda.norpc", "-ldflags", "-s -w -buildid=",
		"-o", binary, "./functions/"+function,
	)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	return nil
}

// zipSize returns the size of the archive that Lambda would fetch.
func zipSize(path string) (int64, error) {
	var n counter
	z := zip.NewWriter(&n)
	w, err := z.Create("bootstrap")
	if err != nil {
		return 0, err
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if _, err := io.Copy(w, f); err != nil {
		return 0, err
	}
	err = z.Close()
	return int64(n), err
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

func medianStart(ctx context.Context, command []string, scale Scale) (time.Duration, error) {
	env := []string{
		"AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=x", "AWS_SECRET_ACCESS_KEY=x", config.EnvTable + "=x",
		config.EnvLogTable + "=x", config.EnvLiveTable + "=x", config.EnvFailureQueue + "=x",
	}
	var times []time.Duration
	for range scale.of(starts) {
		fn, err := runtimestub.Start(runtimestub.Config{Command: command, Env: env, Logs: io.Discard})
		if err != nil {
			return 0, err
		}
		wait, cancel := context.WithTimeout(ctx, startLimit)
		took, err := fn.Ready(wait)
		cancel()
		if err != nil {
			return 0, err
		}
		if err := fn.Stop(); err != nil {
			return 0, err
		}
		times = append(times, took)
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

// webFolder is the folder of the web app, from the root of the repository.
const webFolder = "web"

// deviceFigure is a figure of web/test/device.mjs.
type deviceFigure struct {
	Name, Unit  string
	Value, Goal float64
}

// Devices measures in Chromium how far a page is behind on a bad network, and how soon it is there
// after a reload and an absence.
func Devices(ctx context.Context) ([]Figure, error) {
	dir, err := os.MkdirTemp("", "parley-device-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := buildChat(ctx); err != nil {
		return nil, err
	}
	chat, err := filepath.Abs(chatBinary)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "figures.json")
	cmd := exec.CommandContext(ctx, "npx", "--no-install", "playwright", "test", "--project=device", "--workers=1")
	cmd.Dir, cmd.Env = webFolder, append(os.Environ(), "CHAT_BIN="+chat, "FIGURES="+file)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("measure in the browser: %w", err)
	}
	text, err := os.ReadFile(filepath.Clean(file))
	if err != nil {
		return nil, err
	}
	var measured []deviceFigure
	if err := json.Unmarshal(text, &measured); err != nil {
		return nil, fmt.Errorf("read the browser's figures: %w", err)
	}
	var figures []Figure
	for _, f := range measured {
		figures = append(figures, Figure{
			Name: f.Name, Goal: fmt.Sprintf("≤ %.0f %s", f.Goal, f.Unit),
			Value: fmt.Sprintf("%.0f %s%s", f.Value, f.Unit, over(f.Value, f.Goal)),
		})
	}
	return figures, nil
}
