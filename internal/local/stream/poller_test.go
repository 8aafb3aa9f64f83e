package stream_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// names returns the names of the items in a range of numbers.
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
	x, f := newFixture(t), &function{}
	x.put("thing", "1", 1)
	x.put("other", "2", 1)
	x.put("thing", "1", 2)
	x.remove("2")
	x.put("third", "3", 1)
	x.remove("3")
	x.remove("1")
	x.deliver(f)
	wantBatches(t, f, []string{"1", "1", "-2", "-1"})
	x.put("third", "4", 1)
	x.deliver(f)
	wantBatches(t, f, []string{"1", "1", "-2", "-1"})
}

func TestFilter_MarkedItemPassesWithAnyType(t *testing.T) {
	t.Parallel()
	x, f := newFixture(t), &function{}
	x.putBypassing("1", &types.AttributeValueMemberS{Value: "seattle"})
	x.putBypassing("2", &types.AttributeValueMemberN{Value: "1"})
	x.putBypassing("1", &types.AttributeValueMemberS{Value: "portland"})
	x.remove("1")
	x.deliver(f)
	wantBatches(t, f, []string{"1", "1"})
}

func TestPoller_ContinuesWhereTheLastOneStopped(t *testing.T) {
	t.Parallel()
	x, f := newFixture(t), &function{}
	x.putItems(0, 7)
	x.deliver(f)
	x.putItems(7, 9)
	x.deliver(f)
	x.deliver(f)
	wantBatches(t, f, names(0, 7), names(7, 9))
}

func TestPoller_RepeatsABatchInterruptedByAKill(t *testing.T) {
	t.Parallel()
	x, f := newFixture(t), &function{}
	x.putItems(0, 5)
	x.deliver(f)
	previous, err := os.ReadFile(x.file)
	if err != nil {
		t.Fatal(err)
	}
	x.putItems(5, 8)
	x.deliver(f)
	if err := os.WriteFile(x.file, previous, 0o600); err != nil { // as if killed before the position was written
		t.Fatal(err)
	}
	x.putItems(8, 9)
	x.deliver(f)
	wantBatches(t, f, names(0, 5), names(5, 8), names(5, 9))
}

func TestPoller_DeliversSoon(t *testing.T) {
	t.Parallel()
	x, f := newFixture(t), &function{}
	ctx, end := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); x.poller(f).Run(ctx) }()
	for n := range 3 {
		x.putItems(n, n+1)
		f.await(t, n+1)
	}
	x.putItems(3, 5)
	end()
	<-done
	if got := slices.Concat(f.all()...); !slices.Equal(got, names(0, 5)) {
		t.Errorf("delivered %v at the end", got)
	}
}

func TestPoller_ContinuesFromTheFirstFailedRecord(t *testing.T) {
	t.Parallel()
	x := newFixture(t)
	f := &function{respond: func(call int, _ []string) ([]int, error) {
		switch call {
		case 1:
			return []int{5, 3}, nil
		case 2:
			return []int{0}, nil
		}
		return nil, nil
	}}
	x.putItems(0, 7)
	x.deliver(f)
	wantBatches(t, f, names(0, 7), names(3, 7), names(3, 7))
}

func TestPoller_BisectsToTheFatalRecord(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func() error{
		"an error": func() error { return errors.New("bad") },
		"a panic":  func() error { panic("bad") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newFixture(t)
			failures := 3 // failures of the single record
			f := &function{respond: func(_ int, names []string) ([]int, error) {
				if slices.Contains(names, "005") && failures > 0 {
					if len(names) == 1 {
						failures--
					}
					return nil, fail()
				}
				return nil, nil
			}}
			x.putItems(0, 8)
			x.deliver(f)
			wantBatches(t, f, names(0, 8), names(0, 4), names(4, 8), names(4, 6), names(4, 5),
				names(5, 7), names(5, 6), names(5, 6), names(5, 6), names(5, 6), names(6, 8))
		})
	}
}

func TestDoneOf_InvalidResponseFailsTheBatch(t *testing.T) {
	t.Parallel()
	x := newFixture(t)
	f := &function{respond: func(call int, _ []string) ([]int, error) {
		if call == 1 {
			return []int{1, 99}, nil
		}
		return nil, nil
	}}
	x.putItems(0, 4)
	x.deliver(f)
	wantBatches(t, f, names(0, 4), names(0, 2), names(2, 4))
}

func TestPoller_EndsWhileTheFunctionFails(t *testing.T) {
	t.Parallel()
	x := newFixture(t)
	f := &function{respond: func(int, []string) ([]int, error) { return nil, errors.New("never") }}
	x.putItems(0, 1)
	ended, end := context.WithCancel(t.Context())
	end()
	x.poller(f).Run(ended)
	next := &function{}
	x.deliver(next)
	wantBatches(t, next, names(0, 1))
}

func TestPoller_SplitsBatchesAboveMaxPayload(t *testing.T) {
	t.Parallel()
	x, f := newFixture(t), &function{}
	const big = 350 << 10 // near the limit of an item; a third more in JSON
	for _, name := range names(0, 16) {
		x.put("thing", name, big)
	}
	x.deliver(f)
	wantBatches(t, f, names(0, 8), names(8, 16))
}

func TestPoller_ReadsAnotherStreamFromItsBeginning(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(x *fixture){
		"another stream of the table": func(x *fixture) {
			if _, err := x.db.UpdateTable(x.t.Context(), &dynamodb.UpdateTableInput{
				TableName: aws.String(tableName), StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(false)},
			}); err != nil {
				x.t.Fatal(err)
			}
			x.enableStream()
		},
		"a position that the stream has not reached": func(x *fixture) {
			text, err := os.ReadFile(x.file)
			if err != nil {
				x.t.Fatal(err)
			}
			ahead := regexp.MustCompile(`\d"}`).ReplaceAllString(string(text), `9999"}`)
			if err := os.WriteFile(x.file, []byte(ahead), 0o600); err != nil || ahead == string(text) {
				x.t.Fatal(string(text), err)
			}
		},
		"a position in the form of another engine": func(x *fixture) {
			text, err := os.ReadFile(x.file)
			if err != nil {
				x.t.Fatal(err)
			}
			other := regexp.MustCompile(`"\d+"}`).ReplaceAll(text, []byte(`"three"}`))
			if err := os.WriteFile(x.file, other, 0o600); err != nil {
				x.t.Fatal(err)
			}
		},
		"an empty file": func(x *fixture) {
			if err := os.WriteFile(x.file, nil, 0o600); err != nil {
				x.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x, f := newFixture(t), &function{}
			x.putItems(0, 3)
			x.deliver(f)
			change(x)
			x.deliver(f)
			wantBatches(t, f, names(0, 3), names(0, 3))
		})
	}
}
