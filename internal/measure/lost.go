package measure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
)

// lostShare is one in how many replies of the engine are lost.
const lostShare = 100

// readBack is the number of messages that one query reads back: less than 1 MB.
const readBack = 1000

// errLost is the error that a client gets for a lost reply.
var errLost = errors.New("the reply is lost")

// lossy is a transport that loses some replies: the engine has performed the request.
type lossy struct {
	through http.RoundTripper
	replies atomic.Int64
	mu      sync.Mutex
	lost    int
	units   float64 // of the requests whose replies are lost
}

func (l *lossy) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := l.through.RoundTrip(r)
	if err != nil || l.replies.Add(1)%lostShare != 0 {
		return answer, err
	}
	defer answer.Body.Close()
	var told struct {
		ConsumedCapacity struct{ CapacityUnits float64 }
	}
	if err := json.NewDecoder(answer.Body).Decode(&told); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lost++
	l.units += told.ConsumedCapacity.CapacityUnits
	return nil, errLost
}

// Lost posts a conversation through a connection that loses some replies, and reads it back. It
// counts the units of refused repetitions, which no answer reports.
func (b *Bench) Lost(ctx context.Context) ([]Figure, error) {
	const room = chat.RoomID("lost")
	var refused refused
	through := &lossy{through: http.DefaultTransport}
	client := &http.Client{Transport: through}
	db := dynamodb.New(b.db.Options(), refused.option, func(o *dynamodb.Options) { o.HTTPClient = client })
	var units units
	store := dynamo.New(db, dynamo.Options{Table: b.table, Clock: time.Now, Observe: units.observe})
	b.reset()
	if err := b.fill(ctx, store, room, 1); err != nil {
		return nil, err
	}
	missing, twice, err := b.comparedWith(ctx, room, talk(room))
	if err != nil {
		return nil, err
	}
	if through.lost == 0 || refused.puts == 0 {
		return nil, fmt.Errorf("%d replies were lost, and %d puts refused", through.lost, refused.puts)
	}
	perMessage := (units.write + through.units + refused.units) / conversation
	return []Figure{{
		Name: fmt.Sprintf("write units a message, 1 in %d replies lost", lostShare),
		Value: fmt.Sprintf("%.3f, %d missing, %d twice; %d replies lost, %d puts refused", perMessage, missing, twice,
			through.lost, refused.puts),
		Goal: "≤ 2.03, 0 missing, 0 twice",
	}}, nil
}

// comparedWith returns how many messages a room lacks, and how many it has more than once.
func (b *Bench) comparedWith(ctx context.Context, room chat.RoomID, want []chat.Message) (missing, twice int, err error) {
	seen := map[chat.MessageID]int{}
	for before := ""; ; {
		out, err := b.query(ctx, table.ShardPK(room, 0), before, readBack)
		if err != nil {
			return 0, 0, err
		}
		for _, item := range out.Items {
			m, err := table.ParseMessage(item)
			if err != nil {
				return 0, 0, err
			}
			seen[m.ID]++
		}
		if len(out.Items) < readBack {
			break
		}
		before = indexKey(out.Items[readBack-1])
	}
	for _, m := range want {
		switch n := seen[m.ID]; {
		case n == 0:
			missing++
		case n > 1:
			twice++
		}
		delete(seen, m.ID)
	}
	return missing, twice + len(seen), nil
}
