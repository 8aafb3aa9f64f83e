package stream_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// names are those of things from one number to another.
func names(from, to int) []string {
	var all []string
	for n := from; n < to; n++ {
		all = append(all, fmt.Sprintf("%03d", n))
	}
	return all
}

func wantBatches(t *testing.T, f *function, want ...[]string) {
	t.Helper()
	if got := f.all(); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got the batches\n%v, want\n%v", got, want)
	}
}

func TestFilter_SelectsTypes(t *testing.T) {
	t.Parallel()
	w, f := newWorld(t), &function{}
	w.put("thing", "1", 1)
	w.put("other", "2", 1)
	w.put("thing", "1", 2)
	w.remove("2")
	w.put("third", "3", 1)
	w.remove("3")
	w.remove("1")
	w.deliver(f)
	wantBatches(t, f, []string{"1", "1", "-2", "-1"})
	w.put("third", "4", 1)
	w.deliver(f)
	wantBatches(t, f, []string{"1", "1", "-2", "-1"})
}

func TestFilter_MarkedItemPassesWithAnyType(t *testing.T) {
	t.Parallel()
	w, f := newWorld(t), &function{}
	w.mark("1", &types.AttributeValueMemberS{Value: "seattle"})
	w.mark("2", &types.AttributeValueMemberN{Value: "1"})
	w.mark("1", &types.AttributeValueMemberS{Value: "portland"})
	w.remove("1")
	w.deliver(f)
	wantBatches(t, f, []string{"1", "1"})
}

func TestPoller_ContinuesWhereTheLastOneStopped(t *testing.T) {
	t.Parallel()
	w, f := newWorld(t), &function{}
	w.things(0, 7)
	w.deliver(f)
	w.things(7, 9)
	w.deliver(f)
	w.deliver(f)
	wantBatches(t, f, names(0, 7), names(7, 9))
}

func TestPoller_RepeatsABatchInterruptedByAKill(t *testing.T) {
	t.Parallel()
	w, f := newWorld(t), &function{}
	w.things(0, 5)
	w.deliver(f)
	kept, err := os.ReadFile(w.file)
	if err != nil {
		t.Fatal(err)
	}
	w.things(5, 8)
	w.deliver(f)
	if err := os.WriteFile(w.file, kept, 0o600); err != nil { // killed before it was written
		t.Fatal(err)
	}
	w.things(8, 9)
	w.deliver(f)
	wantBatches(t, f, names(0, 5), names(5, 8), names(5, 9))
}

func TestPoller_DeliversSoon(t *testing.T) {
	t.Parallel()
	w, f := newWorld(t), &function{}
	ctx, end := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); w.poller(f).Run(ctx) }()
	for n := range 3 {
		w.things(n, n+1)
		f.await(t, n+1)
	}
	w.things(3, 5)
	end()
	<-done
	if got := slices.Concat(f.all()...); !slices.Equal(got, names(0, 5)) {
		t.Errorf("at its end it had delivered %v", got)
	}
}

func TestPoller_ContinuesFromTheFirstFailedRecord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := &function{answer: func(call int, _ []string) ([]int, error) {
		switch call {
		case 1:
			return []int{5, 3}, nil
		case 2:
			return []int{0}, nil
		}
		return nil, nil
	}}
	w.things(0, 7)
	w.deliver(f)
	wantBatches(t, f, names(0, 7), names(3, 7), names(3, 7))
}

func TestPoller_BisectsToTheFatalRecord(t *testing.T) {
	t.Parallel()
	for name, die := range map[string]func() error{
		"an error": func() error { return errors.New("bad") },
		"a panic":  func() error { panic("bad") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			ill := 3 // times that it dies of the record alone
			f := &function{answer: func(_ int, names []string) ([]int, error) {
				if slices.Contains(names, "005") && ill > 0 {
					if len(names) == 1 {
						ill--
					}
					return nil, die()
				}
				return nil, nil
			}}
			w.things(0, 8)
			w.deliver(f)
			wantBatches(t, f, names(0, 8), names(0, 4), names(4, 8), names(4, 6), names(4, 5),
				names(5, 7), names(5, 6), names(5, 6), names(5, 6), names(5, 6), names(6, 8))
		})
	}
}

func TestDoneOf_InvalidResponseFailsTheBatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := &function{answer: func(call int, _ []string) ([]int, error) {
		if call == 1 {
			return []int{1, 99}, nil
		}
		return nil, nil
	}}
	w.things(0, 4)
	w.deliver(f)
	wantBatches(t, f, names(0, 4), names(0, 2), names(2, 4))
}

func TestPoller_EndsWhileTheFunctionFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := &function{answer: func(int, []string) ([]int, error) { return nil, errors.New("never") }}
	w.things(0, 1)
	began := time.Now()
	w.deliver(f)
	if took := time.Since(began); took > patience {
		t.Errorf("it took %v", took)
	}
	well := &function{}
	w.deliver(well)
	wantBatches(t, well, names(0, 1))
}

func TestPoller_SplitsBatchesAboveMaxPayload(t *testing.T) {
	t.Parallel()
	w, f := newWorld(t), &function{}
	const big = 350 << 10 // nearly what an item may have; a third more as JSON has it
	for _, name := range names(0, 16) {
		w.put("thing", name, big)
	}
	w.deliver(f)
	wantBatches(t, f, names(0, 8), names(8, 16))
}

func TestPoller_ReadsAnotherStreamFromItsBeginning(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(w *world){
		"another stream of the table": func(w *world) {
			if _, err := w.db.UpdateTable(w.t.Context(), &dynamodb.UpdateTableInput{
				TableName: aws.String(things), StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(false)},
			}); err != nil {
				w.t.Fatal(err)
			}
			w.stream()
		},
		"a position that the stream has not reached": func(w *world) {
			text, err := os.ReadFile(w.file)
			if err != nil {
				w.t.Fatal(err)
			}
			ahead := strings.Replace(string(text), `"3"`, `"4711"`, 1)
			if err := os.WriteFile(w.file, []byte(ahead), 0o600); err != nil || ahead == string(text) {
				w.t.Fatal(string(text), err)
			}
		},
		"a file that holds nothing": func(w *world) {
			if err := os.WriteFile(w.file, nil, 0o600); err != nil {
				w.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, f := newWorld(t), &function{}
			w.things(0, 3)
			w.deliver(f)
			change(w)
			w.deliver(f)
			wantBatches(t, f, names(0, 3), names(0, 3))
		})
	}
}
