package apifn_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/apifn"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/dynamo"
)

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
