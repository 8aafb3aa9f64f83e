package config_test

import (
	"testing"

	"example.com/parley/internal/config"
)

func TestMemoryLimit_LeavesRoomForTheRestOfTheProcess(t *testing.T) {
	t.Parallel()
	for memory, want := range map[int]string{128: "96MiB", 256: "224MiB", 512: "448MiB", 1024: "896MiB"} {
		if got := config.MemoryLimit(memory); got != want {
			t.Errorf("a function of %d MB has a limit of %s, want %s", memory, got, want)
		}
	}
}
