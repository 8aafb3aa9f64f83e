package engine

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func TestStart_InMemoryAnswersUntilStop(t *testing.T) {
	t.Parallel()
	e := start(t, "")
	createTable(t, e.Endpoint())
	wantTable(t, e.Endpoint())
	stop(t, e)
	<-e.Done()
	stop(t, e) // a second call is allowed
}

// TestStart_ListensOnItsHost needs an address of the loopback interface that only Linux has without
// configuration. Start returns when the engine answers there.
func TestStart_ListensOnItsHost(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("127.0.0.2 is not an address of this machine")
	}
	e, err := Start(t.Context(), Config{Host: "127.0.0.2", Env: noEndpoint})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Stop(context.Background()) })
	if !strings.HasPrefix(e.Endpoint(), "http://127.0.0.2:") {
		t.Errorf("the endpoint is %s", e.Endpoint())
	}
}

func TestStart_OnAFileKeepsTablesAcrossAStop(t *testing.T) {
	t.Parallel()
	file := dataFile(t)
	e := start(t, file)
	createTable(t, e.Endpoint())
	stop(t, e)
	wantTable(t, start(t, file).Endpoint())
}

func TestStart_ManyAtOnceHavePortsOfTheirOwn(t *testing.T) {
	t.Parallel()
	const many = 20
	var mu sync.Mutex
	seen := map[string]bool{}
	var wg sync.WaitGroup
	for range many {
		wg.Go(func() {
			e, err := Start(t.Context(), Config{Env: noEndpoint})
			if err != nil {
				t.Error(err)
				return
			}
			// All engines run until the end, because a released port can be used again.
			t.Cleanup(func() { _ = e.Stop(context.Background()) })
			mu.Lock()
			defer mu.Unlock()
			if seen[e.Endpoint()] {
				t.Errorf("two engines at %s", e.Endpoint())
			}
			seen[e.Endpoint()] = true
		})
	}
	wg.Wait()
}

func TestDone_NoticesAnEngineThatDies(t *testing.T) {
	t.Parallel()
	e := start(t, dataFile(t))
	e.child.kill()
	<-e.Done()
	if err := e.Stop(t.Context()); err == nil || !strings.Contains(err.Error(), "ended by itself") {
		t.Errorf("Stop = %v, want an error with the reason", err)
	}
}

func TestStart_EngineIgnoresCtrlCOnTheTerminal(t *testing.T) {
	t.Parallel()
	e := start(t, "")
	theirs, err := syscall.Getpgid(e.child.pid())
	if err != nil {
		t.Fatal(err)
	}
	if ours := syscall.Getpgrp(); theirs == ours {
		t.Errorf("the engine is in our process group, %d", ours)
	}
}

func TestStart_UsesARunningEngineAndLeavesItRunning(t *testing.T) {
	t.Parallel()
	running := start(t, "")
	env := func(name string) string {
		return map[string]string{endpointVar: running.Endpoint()}[name]
	}
	e, err := Start(t.Context(), Config{Env: env})
	if err != nil {
		t.Fatal(err)
	}
	if e.Endpoint() != running.Endpoint() {
		t.Errorf("Endpoint = %s, want %s", e.Endpoint(), running.Endpoint())
	}
	stop(t, e)
	<-e.Done()
	call(t, running.Endpoint(), "ListTables", "{}")
}

// TestStart_SecondServerOfAnEngineLearnsTheFirst starts servers with folders of their own.
func TestStart_SecondServerOfAnEngineLearnsTheFirst(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	running := start(t, "")
	env := func(name string) string {
		return map[string]string{endpointVar: running.Endpoint()}[name]
	}
	serve := func() (*Engine, error) {
		return Start(t.Context(), Config{File: filepath.Join(t.TempDir(), "engine.db"), Shared: true, Env: env})
	}
	first, err := serve()
	if err != nil {
		t.Fatal(err)
	}
	var inUse *InUseError
	if _, err := serve(); !errors.As(err, &inUse) || inUse.PID != os.Getpid() || !strings.Contains(err.Error(), running.Endpoint()) {
		t.Errorf("Start = %v, want an InUseError with process %d", err, os.Getpid())
	}
	if e, err := Start(t.Context(), Config{Env: env}); err != nil {
		t.Errorf("a command while the server runs: %v", err)
	} else {
		stop(t, e)
	}
	stop(t, first)
	second, err := serve()
	if err != nil {
		t.Fatalf("after the first has ended: %v", err)
	}
	stop(t, second)
}

func TestStart_SilentEndpointIsAnError(t *testing.T) {
	t.Parallel()
	// It holds its port, so that no other test's engine answers there.
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	t.Cleanup(silent.Close)
	env := func(name string) string { return map[string]string{endpointVar: silent.URL}[name] }
	if _, err := Start(t.Context(), Config{Env: env}); err == nil ||
		!strings.Contains(err.Error(), endpointVar) {
		t.Errorf("Start = %v, want an error that names $%s", err, endpointVar)
	}
}

func TestErrNotInstalled_SaysWhatToInstall(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir) // away from node_modules, so not parallel
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CACHE_HOME", dir)
	nothing := func(string) string { return "" }
	_, err := Start(t.Context(), Config{Env: nothing})
	if !errors.Is(err, ErrNotInstalled) || !strings.Contains(err.Error(), "chat engine") {
		t.Errorf("Start = %v, want ErrNotInstalled with chat engine", err)
	}
	wrong := func(name string) string { return map[string]string{programVar: "/nowhere/x"}[name] }
	if _, err := Start(t.Context(), Config{Env: wrong}); err == nil ||
		!strings.Contains(err.Error(), programVar) {
		t.Errorf("Start = %v, want an error that names $%s", err, programVar)
	}
}

func TestFindProgram_SearchesInOrder(t *testing.T) {
	root := t.TempDir()
	program := func(parts ...string) string {
		path := filepath.Join(append(append([]string{root}, parts...), programFile())...)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	named, onPath := program("named"), program("path")
	module := program("node_modules", "@dynoxide", platform())
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(deep)
	for _, c := range []struct {
		name string
		env  map[string]string
		want string
	}{
		{"the variable wins", map[string]string{programVar: named, "PATH": filepath.Dir(onPath)}, named},
		{"then the PATH", map[string]string{"PATH": filepath.Dir(onPath)}, onPath},
		{"then node_modules, upwards", nil, module},
		{"never a relative folder of the PATH", map[string]string{"PATH": "."}, module},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := findProgram(func(name string) string { return c.env[name] })
			if err != nil || got != c.want {
				t.Errorf("findProgram = %s, %v; want %s", got, err, c.want)
			}
		})
	}
}

func TestStart_ReportsTheOutputOfAnotherProgram(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "fake")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho wrong turn >&2\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := func(name string) string { return map[string]string{programVar: path}[name] }
	if _, err := Start(t.Context(), Config{Env: env}); err == nil ||
		!strings.Contains(err.Error(), "wrong turn") {
		t.Errorf("Start = %v, want the program's output", err)
	}
}
