package apifn_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/apifn"
	"example.com/parley/internal/attachment"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/config"
	"example.com/parley/internal/dynamo"
)

func TestFromEnv_ReadsOrRefusesEachVariable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, variable, value string
		retention             time.Duration
		refused               bool
	}{
		{name: "the log is stored for the default time", variable: config.EnvLogDays, value: ""},
		{name: "the log is stored for a day", variable: config.EnvLogDays, value: "1", retention: 24 * time.Hour},
		{name: "the log is stored for ten years", variable: config.EnvLogDays, value: "3650", retention: 3650 * 24 * time.Hour},
		{name: "no days", variable: config.EnvLogDays, value: "0", refused: true},
		{name: "too many days", variable: config.EnvLogDays, value: "3651", refused: true},
		{name: "days that are not a number", variable: config.EnvLogDays, value: "30d", refused: true},
		{name: "no table", variable: config.EnvTable, value: "", refused: true},
		{name: "no table for the log", variable: config.EnvLogTable, value: "", refused: true},
		{name: "no table for live connections", variable: config.EnvLiveTable, value: "", refused: true},
		{name: "a send rate of 0", variable: config.EnvSendRate, value: "0", refused: true},
		{name: "a send rate that is not a number", variable: config.EnvSendRate, value: "ten", refused: true},
		{name: "an invalid creator of rooms", variable: config.EnvRoomMakers, value: "ann,b#b", refused: true},
		{name: "creators of rooms", variable: config.EnvRoomMakers, value: "ann, bob"},
		{name: "an unknown directory", variable: config.EnvDirectory, value: "friends", refused: true},
		{name: "a directory for services", variable: config.EnvDirectory, value: "services"},
		{name: "files of no size", variable: config.EnvFileMB, value: "0", refused: true},
		{name: "files of a size in words", variable: config.EnvFileDayMB, value: "1 GB", refused: true},
		{name: "no files a day", variable: config.EnvFileDayCount, value: "-1", refused: true},
		{name: "an unknown level", variable: config.EnvLogLevel, value: "loud", refused: true},
	} {
		env := map[string]string{
			config.EnvTable: "chat", config.EnvLogTable: "log", config.EnvLiveTable: "live",
			"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x",
		}
		env[tt.variable] = tt.value
		cfg, err := apifn.FromEnv(func(name string) string { return env[name] }, io.Discard)
		switch {
		case tt.refused && (err == nil || !strings.Contains(err.Error(), tt.variable)):
			t.Errorf("%s: %v does not name %s", tt.name, err, tt.variable)
		case !tt.refused && (err != nil || cfg.LogRetention != tt.retention || cfg.LogTable != "log" || !cfg.Quiet):
			t.Errorf("%s: %+v, %v", tt.name, cfg, err)
		}
	}
}

func TestRoomCreators_ListedPeopleMayCreateRooms(t *testing.T) {
	t.Parallel()
	env := map[string]string{
		config.EnvTable: "chat", config.EnvLogTable: "log", config.EnvLiveTable: "live", config.EnvRoomMakers: "ann, bob", config.EnvSendRate: "7",
		"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x",
	}
	cfg, err := apifn.FromEnv(func(name string) string { return env[name] }, io.Discard)
	if err != nil || cfg.SendRate != 7 || !cfg.MayCreateRooms("ann") || !cfg.MayCreateRooms("bob") || cfg.MayCreateRooms("eve") {
		t.Errorf("%+v, %v", cfg, err)
	}
	env[config.EnvRoomMakers] = "everyone"
	if cfg, err = apifn.FromEnv(func(name string) string { return env[name] }, io.Discard); err != nil || cfg.MayCreateRooms != nil {
		t.Errorf("everyone: %v", err)
	}
}

func TestFromEnv_LimitsFiles(t *testing.T) {
	t.Parallel()
	env := map[string]string{
		config.EnvTable: "chat", config.EnvLogTable: "log", config.EnvLiveTable: "live",
		"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x",
	}
	get := func(name string) string { return env[name] }
	cfg, err := apifn.FromEnv(get, io.Discard)
	if err != nil || cfg.Bucket != nil || !reflect.DeepEqual(cfg.FileLimits, attachment.DefaultLimits()) {
		t.Errorf("without variables: %+v, %v", cfg.FileLimits, err)
	}
	env[config.EnvFilesBucket], env[config.EnvFileMB], env[config.EnvFileDayMB], env[config.EnvFileDayCount], env[config.EnvFileTypes] = "files", "5", "50", "7", "image/*,application/pdf"
	want := attachment.Limits{FileBytes: 5 << 20, DayBytes: 50 << 20, DayFiles: 7, Types: []string{"image/*", "application/pdf"}}
	if cfg, err = apifn.FromEnv(get, io.Discard); err != nil || cfg.Bucket == nil || !reflect.DeepEqual(cfg.FileLimits, want) {
		t.Errorf("%+v, %v", cfg.FileLimits, err)
	}
}

// transport answers requests with a function.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestSearchFunction_TellsSweepsFromRequests(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var lists int
	status := http.StatusOK
	storage := transport(func(r *http.Request) (*http.Response, error) {
		lists++
		if end, _ := r.Context().Deadline(); time.Until(end) > 50*time.Second {
			t.Errorf("a sweep may take until %v, when Lambda ends it", end)
		}
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("<ListBucketResult/>"))}, nil
	})
	var logs strings.Builder
	f := apifn.Config{
		DB: dynamo.LocalClient("http://127.0.0.1:1"), Table: "chat", LogTable: "log", LiveTable: "live", Log: slog.New(slog.NewTextHandler(&logs, nil)),
		Bucket: bucket.New(bucket.Config{Base: "https://files.example", Region: "us-east-1", HTTP: storage, Credentials: dynamo.StaticCredentials("x", "x", "")}),
	}.Search()
	if answer, err := f.Invoke(ctx, []byte(`{"sweep":true}`)); err != nil || string(answer) != "null" || lists != 2 || !strings.Contains(logs.String(), "swept.rooms=0") {
		t.Errorf("sweep: %s, %v, %d lists\n%s", answer, err, lists, logs.String())
	}
	status = http.StatusForbidden
	if _, err := f.Invoke(ctx, []byte(`{"sweep":true}`)); err == nil || !strings.Contains(logs.String(), "sweep failed") {
		t.Errorf("a sweep that may not list: %v\n%s", err, logs.String())
	}
	const request = `{"version":"2.0","routeKey":"GET /search","rawPath":"/search","rawQueryString":"q=a&sweep=true","requestContext":{"requestId":"1","http":{"method":"GET","path":"/search"}}}`
	for event, want := range map[string]string{request: `"statusCode":422`, `{"sweep":false}`: `"statusCode":404`} {
		if answer, err := f.Invoke(ctx, []byte(event)); err != nil || !strings.Contains(string(answer), want) {
			t.Errorf("%s: %s, %v, want %s", event, answer, err, want)
		}
	}
	if _, err := f.Invoke(ctx, []byte(`sweep`)); err == nil {
		t.Error("an event that is no JSON is accepted")
	}
	if lists != 3 {
		t.Errorf("the index was listed %d times, want 3: from the middle, from the beginning, and in vain", lists)
	}
}
