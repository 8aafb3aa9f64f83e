package httpapi

import (
	"bytes"
	"context"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/gate"
	"example.com/parley/internal/problem"
)

const (
	// maxBulkBody bounds the body of a bulk request: 1 KB for each of 1,000 entries. A function
	// decodes it in a tenth of its memory.
	maxBulkBody = 1 << 20
	// bulkAtOnce is how many entries are performed concurrently. Their transactions stay below what
	// one partition of a table takes, and a thousand entries take some seconds.
	bulkAtOnce = 16
	// bulkTime is how long a request begins entries. The last ones have the rest of RequestTimeout.
	bulkTime = 10 * time.Second
	// bulkRetryAfter is when a client repeats the entries that were not begun.
	bulkRetryAfter = time.Second
)

// entry is an entry of a bulk request. It is validated by itself, so that an invalid entry does
// not stop the others.
type entry[T any] struct{ text []byte }

// UnmarshalJSON implements json.Unmarshaler.
func (e *entry[T]) UnmarshalJSON(text []byte) error {
	e.text = bytes.Clone(text)
	return nil
}

// Schema is T's. It implements huma.SchemaProvider.
func (entry[T]) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[T](), true, "")
}

// bulkEntry is the contents of an entry.
type bulkEntry interface {
	ids() BulkIDs
	price() price
}

// BulkIDs name what an entry sets. It is exported for huma, like RoomPath.
type BulkIDs struct {
	ID   string `json:"id,omitempty" doc:"The entry's room, in an answer about rooms" example:"seattle"`
	Room string `json:"room,omitempty" doc:"The entry's room, in an answer about memberships" example:"seattle"`
	User string `json:"user,omitempty" doc:"The entry's person" example:"e129"`
}

// entryResultBody is the outcome of an entry.
type entryResultBody struct {
	BulkIDs
	Status     int              `json:"status" doc:"As if the entry were a request: 201 created it, 200 changed it or found it so" example:"201"`
	RetryAfter int              `json:"retryAfter,omitempty,omitzero" doc:"The seconds after which the entry may be repeated; present where Retry-After would be"`
	Problem    *problem.Problem `json:"problem,omitempty" doc:"Why the entry was refused; absent for a status below 400"`
}

type bulkOutput struct {
	Body struct {
		Items []entryResultBody `json:"items" doc:"The outcome of each entry, in the order of the request"`
	} `nameHint:"BulkResults"`
}

// bulkDescription is about all bulk operations.
const bulkDescription = "The answer is 200 and has a result for each entry, in order. Entries are independent: a " +
	"refused one does not stop the others. An entry that is repeated changes nothing more, so send those whose " +
	"problem is retryable again. Each entry is charged like a request of its own. Entries that were not begun within " +
	"10 seconds have the status 503."

// defineBulk returns the table's entry for a bulk operation, which is for services. The documents
// have the schema of its entries. A server checks only the list's, and parseEntries each entry's.
func defineBulk[I any](o huma.Operation, handle handler[I, bulkOutput]) operation {
	o.Method, o.MaxBodyBytes, o.Security = http.MethodPost, maxBulkBody, onlyServices
	o.Description += " " + bulkDescription
	op := define(Write, bulkPrice, o, func(ctx context.Context, s *server, caller chat.UserID, in *I) (
		*bulkOutput, error,
	) {
		if !isService(ctx) {
			return nil, errForServices()
		}
		if err := gate.Wait(ctx); err != nil { // the bill has the caller's budgets then
			return nil, err
		}
		return handle(ctx, s, caller, in)
	})
	register := op.register
	op.register = func(api huma.API, s *server) {
		register(api, s)
		if s == nil {
			return
		}
		schemas := api.OpenAPI().Components.Schemas
		body := api.OpenAPI().Paths[o.Path].Post.RequestBody.Content[jsonType].Schema
		schemas.SchemaFromRef(body.Ref).Properties["items"].Items = &huma.Schema{}
	}
	return op
}

// parsed is the contents of an entry, or the problem that refuses it.
type parsed[T any] struct {
	given   T
	refused error
}

// runBulk performs put for each entry. put reports whether it created something. The entries of one
// room follow each other, because concurrent changes of its memberships may depend on one item
// (ADR 65).
func runBulk[T bulkEntry](
	ctx context.Context, s *server, caller chat.UserID, entries []parsed[T], put func(context.Context, T) (bool, error),
) *bulkOutput {
	beginning, cancel := context.WithTimeout(ctx, bulkTime)
	defer cancel()
	out := &bulkOutput{}
	out.Body.Items = make([]entryResultBody, len(entries))
	var group errgroup.Group
	group.SetLimit(bulkAtOnce)
	for _, lane := range lanes(entries) {
		group.Go(func() error {
			for _, i := range lane {
				e := entries[i]
				created, err := false, e.refused
				if err == nil && beginning.Err() != nil {
					err = &chat.Error{
						Kind: chat.Unavailable, RetryAfter: bulkRetryAfter,
						Detail: "the request had no time left for this entry; repeat it",
					}
				}
				if err == nil {
					created, err = s.putEntry(ctx, caller, e.given, func() (bool, error) { return put(ctx, e.given) })
				}
				out.Body.Items[i] = resultOf(ctx, e.given.ids(), created, err)
			}
			return nil
		})
	}
	_ = group.Wait() // no function returns an error
	return out
}

// lanes groups the indices of entries by room, in order. Each entry without a room is a group of
// its own. An entry with the ids of an earlier one is refused.
func lanes[T bulkEntry](entries []parsed[T]) [][]int {
	var all [][]int
	of, seen := map[string]int{}, map[BulkIDs]bool{}
	for i := range entries {
		ids := entries[i].given.ids()
		if entries[i].refused == nil && seen[ids] {
			entries[i].refused = chat.Conflictf("an earlier entry of the request has the same ids; leave one out")
		}
		seen[ids] = seen[ids] || entries[i].refused == nil
		n, ok := of[ids.Room]
		if !ok || ids.Room == "" {
			n, all = len(all), append(all, nil)
			of[ids.Room] = n
		}
		all[n] = append(all[n], i)
	}
	return all
}

// putEntry charges the caller for an entry, and performs it.
func (s *server) putEntry(
	ctx context.Context, caller chat.UserID, given bulkEntry, put func() (bool, error),
) (created bool, err error) {
	r, _ := ctx.Value(requestKey{}).(request)
	if err := s.take(ctx, caller, given.price(), r.bill.known, costsOf(caller, given.price(), given, 0)); err != nil {
		return false, err
	}
	if created, err = put(); err != nil || !created {
		return false, err
	}
	one := bill{meter: s.meterOf(ctx, caller), caller: caller, known: r.bill.known, price: given.price()}
	if err := one.settle(ctx, http.StatusCreated, 0, 0); err != nil {
		logOf(ctx).WarnContext(ctx, "charge failed", "cause", err.Error())
	}
	return true, nil
}

// resultOf returns the result of an entry.
func resultOf(ctx context.Context, ids BulkIDs, created bool, err error) entryResultBody {
	if err != nil {
		p := problemOf(ctx, err)
		return entryResultBody{BulkIDs: ids, Status: p.Status, RetryAfter: p.RetryAfterSeconds(), Problem: p}
	}
	return entryResultBody{BulkIDs: ids, Status: createdStatus(created)}
}

// parseEntries validates and parses entries.
func parseEntries[T any](entries []entry[T]) []parsed[T] {
	schemas := newSchemas()
	schema := schemas.Schema(reflect.TypeFor[T](), true, "")
	format := strictJSON(&bodySchema{schemas: schemas, schema: schema})
	all := make([]parsed[T], len(entries))
	for i, e := range entries {
		var tree any
		path := huma.NewPathBuffer(nil, 0)
		path.Push(problem.Body)
		var result huma.ValidateResult
		if err := format.Unmarshal(e.text, &tree); err != nil {
			result.Add(path, nil, err.Error())
		} else {
			huma.Validate(schemas, schema, path, huma.ModeWriteToServer, tree, &result)
		}
		if err := format.Unmarshal(e.text, &all[i].given); err != nil && len(result.Errors) == 0 {
			result.Add(path, nil, err.Error())
		}
		if len(result.Errors) > 0 {
			all[i].refused = invalid(result.Errors)
		}
	}
	return all
}
