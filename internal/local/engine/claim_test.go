package engine

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func TestStart_SecondOwnerLearnsTheFirst(t *testing.T) {
	t.Parallel()
	file := dataFile(t)
	start(t, file)
	_, err := Start(t.Context(), Config{File: file, Env: noEndpoint})
	var inUse *InUseError
	if !errors.As(err, &inUse) || inUse.PID != os.Getpid() {
		t.Errorf("Start = %v, want an InUseError with process %d", err, os.Getpid())
	}
}

func TestStart_OneOfTwoAtOnceWins(t *testing.T) {
	t.Parallel()
	file := dataFile(t)
	const rivals = 4
	engines := make([]*Engine, rivals)
	errs := make([]error, rivals)
	var wg sync.WaitGroup
	for i := range rivals {
		wg.Go(func() { engines[i], errs[i] = Start(t.Context(), Config{File: file, Env: noEndpoint}) })
	}
	wg.Wait()
	winners := 0
	for i, err := range errs {
		var inUse *InUseError
		switch {
		case err == nil:
			winners++
			stop(t, engines[i])
		case !errors.As(err, &inUse):
			t.Errorf("a loser's error is %v, want an InUseError", err)
		}
	}
	if winners != 1 {
		t.Errorf("%d starts won, want 1", winners)
	}
}

func TestStart_TakesOverTheFolderOfAKilledOwner(t *testing.T) {
	t.Parallel()
	file := dataFile(t)
	for range 3 {
		owner, endpoint := startPart(t, partOwner, file)
		if _, err := Start(t.Context(), Config{File: file, Env: noEndpoint}); err == nil {
			t.Fatal("the folder was taken from a living owner")
		}
		createTable(t, endpoint)
		if err := owner.Kill(); err != nil {
			t.Fatal(err)
		}
		e, err := Start(t.Context(), Config{File: file, Wait: startTimeout, Env: noEndpoint})
		if err != nil {
			t.Fatal(err)
		}
		wantTable(t, e.Endpoint())
		call(t, e.Endpoint(), "DeleteTable", `{"TableName":"kept"}`)
		stop(t, e)
	}
}

func TestStart_EndsAnOrphanBeforeItOpensTheFile(t *testing.T) {
	t.Parallel()
	for _, part := range []string{partOrphan, partRefuser} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			file := dataFile(t)
			lock, err := openLock(filepath.Dir(file), engineLock)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := tryLock(lock); !got || err != nil {
				t.Fatalf("tryLock = %v, %v", got, err)
			}
			orphan, _ := startPart(t, part, "", lock)
			if err := lock.Close(); err != nil {
				t.Fatal(err)
			}
			if err := writeRecord(filepath.Dir(file), record{Owner: 1, Engine: orphan.Pid}); err != nil {
				t.Fatal(err)
			}
			stop(t, start(t, file))
		})
	}
}

func TestFind_FindsOnlySharedEngines(t *testing.T) {
	t.Parallel()
	for _, shared := range []bool{true, false} {
		file := dataFile(t)
		e, err := Start(t.Context(), Config{File: file, Shared: shared, Env: noEndpoint})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Find(file)
		want := Announcement{Owner: os.Getpid()}
		if shared {
			want.Endpoint = e.Endpoint()
		}
		if err != nil || got != want {
			t.Errorf("shared %v: Find = %+v, %v, want %+v", shared, got, err, want)
		}
		stop(t, e)
		if got, err := Find(file); got != (Announcement{}) || err != nil {
			t.Errorf("after Stop: Find = %+v, %v, want nothing", got, err)
		}
	}
}

func TestStart_FilesArePrivate(t *testing.T) {
	t.Parallel()
	file := dataFile(t)
	start(t, file)
	for _, name := range []string{ownerLock, engineLock, recordFile} {
		info, err := os.Stat(filepath.Join(filepath.Dir(file), name))
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != privateMode {
			t.Errorf("%s has mode %o, want %o", name, mode, privateMode)
		}
	}
}
