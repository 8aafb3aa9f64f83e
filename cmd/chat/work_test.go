package main

import (
	"math"
	"strings"
	"testing"

	"example.com/parley/internal/scan"
)

// TestTargetRate_HasALimitInAnAccount has none for a data folder, unless a flag states one.
func TestTargetRate_HasALimitInAnAccount(t *testing.T) {
	t.Parallel()
	local, deployed, five := &target{}, &target{Table: "chat"}, 5.0
	for _, tt := range []struct {
		t    *target
		flag *float64
		want float64
	}{{local, nil, math.Inf(1)}, {deployed, nil, 200}, {local, &five, 5}, {deployed, &five, 5}} {
		rate := tt.t.rate(tt.flag)
		if rate != tt.want {
			t.Errorf("the rate is %v, want %v", rate, tt.want)
		}
		if text := estimate(scan.Cost{Items: 3, Units: 10}, rate); strings.Contains(text, " or more") == math.IsInf(rate, 1) {
			t.Errorf("at %v a scan is described as %q", rate, text)
		}
	}
}

// TestReadUnits_MustBePositive refuses a limit with which a command would never end.
func TestReadUnits_MustBePositive(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"search", "verify"}, {"room", "purge", "seattle"}} {
		out, err := command(t, append(args, "--data", dataDir(t), "--read-units", "0")...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "--read-units must be greater than 0") {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
	}
}
