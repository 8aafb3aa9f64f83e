package config_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/infra/config"
)

func context(pairs ...string) map[string]any {
	m := map[string]any{"aws:cdk:version-reporting": true, "@aws-cdk/core:stackRelativeExports": true}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return m
}

// stated returns the smallest accepted settings.
func stated() map[config.Env]config.Settings {
	return map[config.Env]config.Settings{config.Dev: {}, config.Prod: explicit()}
}

// explicit states only the settings that prod requires.
func explicit() config.Settings {
	return config.Settings{
		Issuer: "own", SignUp: "admin", RoomCreators: []string{"everyone"}, Origins: []string{"none"}, AlarmEmail: "none", FeedReserved: config.Unreserved,
	}
}

// wantError fails unless the error contains the text.
func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
}

// refusal is a change of the settings that Resolve refuses, and a part of its error.
type refusal struct {
	name   string
	change func(*config.Settings)
	want   string
}

// wantRefused checks that Resolve refuses each change, in an error that begins with the file.
func wantRefused(t *testing.T, tests []refusal) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := explicit()
			tt.change(&s)
			_, err := s.Resolve(config.Prod)
			wantError(t, err, "infra/settings/prod.go: "+tt.want)
		})
	}
}

func TestLoad_RefusesKeys(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		context map[string]any
		want    string
	}{
		{"no environment", context(), "no environment chosen: give -c env=dev or -c env=prod"},
		{"an unknown environment", context("env", "staging"), "-c env=staging is not an environment"},
		{"an environment in capitals", context("env", "DEV"), "-c env=DEV is not an environment"},
		{"a misspelt key", context("env", "dev", "enf", "prod"), "-c enf is not known"},
		{"a setting as a key", context("env", "dev", "Origins", "https://a.example"), "-c Origins is not known"},
		{"an empty value", context("env", "dev", "arch", ""), "-c arch must be a string"},
		{"a value that is not a string", map[string]any{"env": true}, "-c env must be a string"},
		{"an unknown architecture", context("env", "dev", "arch", "arm"), "-c arch=arm is not an architecture: there are arm64 and x86_64"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := config.Load(tt.context, stated())
			wantError(t, err, tt.want)
		})
	}
}

func TestLoad_FlagChangesOnlyTheArchitecture(t *testing.T) {
	t.Parallel()
	for _, env := range []string{"dev", "prod"} {
		without, err := config.Load(context("env", env), stated())
		if err != nil {
			t.Fatal(err)
		}
		with, err := config.Load(context("env", env, "arch", "x86_64"), stated())
		if err != nil {
			t.Fatal(err)
		}
		without.Architecture = config.X8664
		if diff := cmp.Diff(without, with); diff != "" {
			t.Errorf("%s: %s", env, diff)
		}
	}
	if _, err := config.Load(context(), stated()); !errors.Is(err, config.ErrNoEnvironment) {
		t.Errorf("without an environment: %v", err)
	}
}

// TestResolve_ProdRequiresSecuritySettings leaves out one setting at a time, and then all of them.
func TestResolve_ProdRequiresSecuritySettings(t *testing.T) {
	t.Parallel()
	leftOut := map[string]func(*config.Settings){
		"Issuer":       func(s *config.Settings) { s.Issuer = "" },
		"SignUp":       func(s *config.Settings) { s.SignUp = "" },
		"RoomCreators": func(s *config.Settings) { s.RoomCreators = nil },
		"Origins":      func(s *config.Settings) { s.Origins = nil },
		"AlarmEmail":   func(s *config.Settings) { s.AlarmEmail = "" },
		"FeedReserved": func(s *config.Settings) { s.FeedReserved = 0 },
	}
	_, all := config.Settings{}.Resolve(config.Prod)
	required := map[string]bool{}
	for _, setting := range config.Catalog() {
		if setting.Stated != "" {
			required[setting.Name] = true
		}
	}
	for name, leaveOut := range leftOut {
		s := explicit()
		leaveOut(&s)
		_, err := s.Resolve(config.Prod)
		want := "infra/settings/prod.go: " + name + " must be stated: "
		wantError(t, err, want)
		wantError(t, all, want)
		if _, err := s.Resolve(config.Dev); err != nil {
			t.Errorf("dev without %s: %v", name, err)
		}
		delete(required, name)
	}
	for name := range required {
		t.Errorf("%s must be stated, but no test leaves it out", name)
	}
}

func TestResolve_AppliesTheSettings(t *testing.T) {
	t.Parallel()
	got, err := config.Settings{
		Issuer: "https://id.example/a", Audience: []string{"web", "phone"}, RoomCreators: []string{"amsg"}, Directory: "off", Profiles: "services", Hooks: "private", NameClaim: "name", UserClaim: "oid",
		Origins: []string{"https://a.example", "http://localhost:5173"}, AlarmEmail: "ops@example.com", MonthlyBudget: 250,
		Rate: 9000, RateQuota: 20_000, SendRate: 3, WarmWrites: 40_000, FeedReserved: 50, HookConcurrency: 64, FeedDays: 5, Logs: config.Logs{Days: 14, Level: "warn", ActivityDays: 4},
		Files: config.Files{MB: 20, Types: []string{"image/*", "application/pdf"}},
	}.Resolve(config.Prod)
	if err != nil {
		t.Fatal(err)
	}
	want := config.Fixed(config.Prod)
	want.Tokens = config.Tokens{Issuer: "https://id.example/a", Audience: []string{"web", "phone"}, UserClaim: "oid"}
	want.API = config.API{
		Rate: 9000, Burst: 4500, PostRate: 10_000, RateQuota: 20_000, SendRate: 3, RoomMakers: []string{"amsg"}, Directory: "off", Profiles: "services", Hooks: "private", HookConcurrency: 64, NameClaim: "name",
		Origins: []string{"https://a.example", "http://localhost:5173"},
	}
	want.Files = config.Files{MB: 20, DayMB: 1024, DayCount: 500, Types: []string{"image/*", "application/pdf"}}
	want.Alarms.Recipient, want.Alarms.MonthlyBudget = "ops@example.com", 250
	want.Table.WarmWrites, want.Feed.Reserved = 40_000, 50
	want.Table.LogDays, want.Table.FeedDays = 4, 5
	want.Logs = config.LogConfig{Days: 14, Level: "warn", OwnGatewayRole: true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestResolve_ProdKeepsItsData(t *testing.T) {
	t.Parallel()
	got, err := explicit().Resolve(config.Prod)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Table.Retain || !got.Table.DeletionProtection || got.Table.RecoveryDays != 35 || !got.Alarms.Enabled {
		t.Errorf("prod keeps too little: %+v", got)
	}
}

// TestConfigIn_ChecksTheQuota covers both kinds of Regions, an account with a raised quota, and one
// without a Region. One process uses half of the quota for frames.
func TestConfigIn_ChecksTheQuota(t *testing.T) {
	t.Parallel()
	tests := []struct {
		region            string
		rate, quota, post int
		want              string
	}{
		{"eu-west-1", 10_000, 0, 5_000, ""},
		{"eu-west-1", 10_001, 0, 5_000, "may take 10000 requests a second in eu-west-1"},
		{"eu-south-1", 2_500, 0, 1_250, ""},
		{"eu-south-1", 2_501, 0, 1_250, "infra/settings/prod.go: Rate is 2501, but all APIs of an account together may take 2500 requests a second in eu-south-1"},
		{"eu-south-1", 20_000, 20_000, 10_000, ""},
		{"eu-west-1", 5_000, 4_000, 2_000, "may take 4000 requests"},
		{"", 10_001, 0, 5_000, "may take 10000 requests a second: lower Rate"},
	}
	for _, tt := range tests {
		s := explicit()
		s.Rate, s.RateQuota = tt.rate, tt.quota
		c, err := s.Resolve(config.Prod)
		if err != nil {
			t.Fatal(err)
		}
		c, err = c.In("", tt.region)
		if c.API.PostRate != tt.post {
			t.Errorf("%+v: %d frames a second", tt, c.API.PostRate)
		}
		if tt.want == "" && err != nil {
			t.Errorf("%+v: %v", tt, err)
		} else if tt.want != "" {
			wantError(t, err, tt.want)
		}
	}
}

// TestDefaults_RateIsWithinEveryQuota covers rate and burst. A Region with the smaller quota allows
// 2,500 requests a second and a burst of 1,250.
func TestDefaults_RateIsWithinEveryQuota(t *testing.T) {
	t.Parallel()
	for env, s := range stated() {
		c, err := s.Resolve(env)
		if err != nil {
			t.Fatal(err)
		}
		if c.API.Rate > 2_500 || c.API.Burst > 1_250 {
			t.Errorf("%s: rate %d, burst %d", env, c.API.Rate, c.API.Burst)
		}
	}
}

func TestContextOf_ReturnsTheFilesContext(t *testing.T) {
	t.Parallel()
	got, err := config.ContextOf([]byte(`{"app": "x", "context": {"a:b": true}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"a:b": true, "aws:cdk:enable-path-metadata": true, "aws:cdk:enable-asset-metadata": true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := config.ContextOf([]byte(`{"context": 1}`)); err == nil {
		t.Error("a context that is not an object is accepted")
	}
}
