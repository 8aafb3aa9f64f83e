package stream_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/feed"
)

type batch = []events.DynamoDBEventRecord

func TestHandle_StreamInPieces(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	for cut := range len(s.records) + 1 {
		p := s.play(t)
		p.deliverBy(p.process(), s.records[:cut])
		p.deliverBy(p.process(), s.records[cut:])
		p.wantComplete()
	}
	for size := 1; size < len(s.records); size += 5 {
		p := s.play(t)
		one := p.process()
		for piece := range slices.Chunk(s.records, size) {
			p.deliverBy(one, piece)
		}
		p.wantComplete()
	}
	t.Logf("%d records cut at each, and into pieces", len(s.records))
}

// lanes splits the records into n shards of the stream. The records of an item are in one shard.
func lanes(records batch, n int) []batch {
	all := make([]batch, n)
	for _, r := range records {
		sum := 0
		for _, b := range []byte(r.Change.Keys["PK"].String() + r.Change.Keys["SK"].String()) {
			sum = sum*31 + int(b)
		}
		i := (sum%n + n) % n
		all[i] = append(all[i], r)
	}
	return all
}

func TestHandle_ConcurrentProcesses(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 1))
		p := s.play(t)
		whole := func() { // one process delivers the whole stream; two run concurrently
			one := p.process()
			for piece := range slices.Chunk(s.records, 1+int(seed)) {
				p.deliverBy(one, piece)
			}
		}
		deliveries := []func(){whole, whole}
		if seed%2 == 1 { // a stream of several shards, some delivered twice
			deliveries = nil
			for _, lane := range lanes(s.records, 2+int(seed)) {
				lane, size, times := lane, 1+random.IntN(9), 1+random.IntN(2)
				deliveries = append(deliveries, func() {
					for range times {
						one := p.process()
						for piece := range slices.Chunk(lane, size) {
							p.deliverBy(one, piece)
						}
					}
				})
			}
		}
		concurrently(deliveries...)
		p.wantComplete()
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func TestHandle_RoomsInterleaved(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 2))
		rest := lanes(s.records, 7)
		var mixed batch
		for len(mixed) < len(s.records) {
			i := random.IntN(len(rest))
			if n := min(len(rest[i]), 1+random.IntN(3)); n > 0 {
				mixed, rest[i] = append(mixed, rest[i][:n]...), rest[i][n:]
			}
		}
		p := s.play(t)
		one := p.process()
		for piece := range slices.Chunk(mixed, 1+random.IntN(len(mixed))) {
			p.deliverBy(one, piece)
			if random.IntN(3) == 0 {
				one = p.process()
			}
		}
		p.wantComplete()
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func TestHandle_DifferingClocksAppendNothingTwice(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	for _, skew := range []time.Duration{-4 * time.Second, -time.Second, time.Second, time.Minute} {
		p := s.play(t)
		p.deliverBy(p.process(), s.records[:len(s.records)/2])
		p.clock = func() time.Time { return time.Now().Add(skew) }
		p.deliverBy(p.process(), s.records)
		p.clock = time.Now
		p.deliverBy(p.process(), s.records)
		p.wantComplete()
	}
}

func TestHandle_RestoredTableStartsAnotherGeneration(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	p := s.play(t)
	p.deliverBy(p.process(), s.records)
	before, err := p.store.FeedHead(t.Context(), "seattle")
	if err != nil {
		t.Fatal(err)
	}
	restored := slices.Clone(s.records)
	for i := range restored {
		restored[i].EventSourceArn += "-later"
		restored[i].Change.SequenceNumber += "0"
	}
	one := p.process()
	p.deliverBy(one, restored[:2]) // known changes are not appended again in a new generation
	p.deliverBy(one, restored)
	p.deliverBy(p.process(), s.records) // the last records of the old stream arrive late
	_, segments, err := p.store.FeedFrom(t.Context(), "seattle", before.Last+1+feed.GenerationGap, 100)
	if err != nil || len(segments) == 0 {
		t.Fatal(segments, err)
	}
	first := segments[0]
	if first.Generation <= before.Generation || first.First != before.Last+1+feed.GenerationGap || first.Count != before.Count {
		t.Errorf("segment after %+v: %+v", before, first)
	}
	for _, segment := range segments {
		if segment.Settled != first.First-1 || segment.Generation != first.Generation {
			t.Errorf("segment %+v is not in the generation that begins with %d", segment, first.First)
		}
		for _, c := range segment.Changes {
			if c.Type.OfMessage() {
				t.Errorf("%+v is in the feed twice", c)
			}
		}
	}
}
