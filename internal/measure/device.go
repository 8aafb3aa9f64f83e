package measure

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

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
