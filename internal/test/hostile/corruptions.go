package hostile

import (
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Corruption is a way to corrupt an answer.
type Corruption struct {
	Name string
	// Plausible means that a correct engine with other items could give this answer. A client
	// cannot detect it, and its own answer may be wrong.
	Plausible bool
	// Always means that all answers of an operation are corrupted, not just one.
	Always bool
	// Slow means that the client waits for its timeout.
	Slow   bool
	change func(*Answer) bool // reports false if the Corruption does not fit the answer
	write  func(w http.ResponseWriter, a *Answer)
}

func (l *Corruption) String() string { return l.Name }

// elsewhere is the path to which the redirect points.
const elsewhere = "/elsewhere"

// Secret is the text that the engine puts into errors of its own. No client may see it.
const Secret = "arn:aws:secret"

// All returns every Corruption, in a fixed order.
func All() []*Corruption {
	return slices.Concat(itemCorruptions(), valueCorruptions(), pageCorruptions(), wireCorruptions())
}

// wireCorruptions are answers whose bytes are wrong.
func wireCorruptions() []*Corruption {
	return []*Corruption{
		{Name: "no JSON", write: text("<html>" + Secret)},
		{Name: "JSON null", Plausible: true, write: text("null")},
		{Name: "a list", write: text("[]")},
		{Name: "a number", write: text("7")},
		{Name: "a deep nest", write: text(`{"Item":` + strings.Repeat(`{"a":{"M":`, 20_000))},
		{Name: "cut within", write: func(w http.ResponseWriter, a *Answer) { failure(a.Status, string(a.raw[:len(a.raw)/2]))(w, a) }},
		{Name: "cut short", write: cutShort},
		{Name: "a wrong checksum", write: func(w http.ResponseWriter, a *Answer) {
			w.Header().Set("X-Amz-Crc32", "1")
			failure(a.Status, string(a.raw))(w, a)
		}},
		{Name: "a redirect", write: func(w http.ResponseWriter, _ *Answer) {
			w.Header().Set("Location", elsewhere)
			w.WriteHeader(http.StatusTemporaryRedirect)
		}},
		{Name: "no content", Plausible: true, write: func(w http.ResponseWriter, _ *Answer) { w.WriteHeader(http.StatusNoContent) }},
		{Name: "an unknown error", write: failure(http.StatusBadRequest, `{"__type":"x#NewException","message":"`+Secret+`"}`)},
		{Name: "an error without a type", write: failure(http.StatusBadRequest, `{"message":"`+Secret+`"}`)},
		{Name: "an error that is no JSON", write: failure(http.StatusInternalServerError, "<html>"+Secret)},
		{Name: "a denial", write: failure(http.StatusBadRequest, `{"__type":"x#AccessDeniedException","message":"`+Secret+`"}`)},
		{Name: "a validation", write: failure(http.StatusBadRequest, `{"__type":"x#ValidationException","message":"`+Secret+`"}`)},
		{Name: "no such table", write: failure(http.StatusBadRequest, `{"__type":"x#ResourceNotFoundException","message":"`+Secret+`"}`)},
		{Name: "a failed condition", Plausible: true, write: failure(http.StatusBadRequest, `{"__type":"x#ConditionalCheckFailedException","message":"`+Secret+`"}`)},
		{Name: "a cancellation without reasons", Plausible: true, write: failure(http.StatusBadRequest, `{"__type":"x#TransactionCanceledException","message":"`+Secret+`"}`)},
		{Name: "a cancellation with strange reasons", Plausible: true, write: failure(http.StatusBadRequest,
			`{"__type":"x#TransactionCanceledException","CancellationReasons":[`+strings.Repeat(`{"Code":"None"},`, 200)+`{"Code":"New","Message":"`+Secret+`"}]}`)},
		{Name: "a cancellation by a condition", Plausible: true, write: failure(http.StatusBadRequest,
			`{"__type":"x#TransactionCanceledException","CancellationReasons":[{"Code":"ConditionalCheckFailed"}]}`)},
		{Name: "an endless answer", Slow: true, write: endless},
		{Name: "an answer that stops", Slow: true, write: func(w http.ResponseWriter, a *Answer) {
			w.WriteHeader(a.Status)
			_, _ = w.Write(a.raw[:len(a.raw)/2])
			_ = http.NewResponseController(w).Flush()
			time.Sleep(stall)
		}},
	}
}

// stall is longer than an attempt of the client may take.
const stall = 2500 * time.Millisecond

// text answers 200 with a text.
func text(body string) func(http.ResponseWriter, *Answer) { return failure(http.StatusOK, body) }

func failure(status int, body string) func(http.ResponseWriter, *Answer) {
	return func(w http.ResponseWriter, _ *Answer) {
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// cutShort ends the connection before the last byte.
func cutShort(w http.ResponseWriter, a *Answer) {
	w.Header().Set("Content-Length", strconv.Itoa(len(a.raw)))
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.raw[:len(a.raw)-1])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// endless writes spaces within the JSON until the client goes away.
func endless(w http.ResponseWriter, _ *Answer) {
	spaces := strings.Repeat(" ", 64<<10)
	if _, err := io.WriteString(w, "{"); err != nil {
		return
	}
	for {
		if _, err := io.WriteString(w, spaces); err != nil {
			return
		}
	}
}

// pageCorruptions are wrong pages and batches.
func pageCorruptions() []*Corruption {
	return []*Corruption{
		{Name: "a page that never ends", Plausible: true, Always: true, change: neverEnds},
		{Name: "a page that continues elsewhere", change: func(a *Answer) bool {
			return a.Operation == "Query" && a.next(Item{"PK": Item{"S": "x"}, "SK": Item{"S": "x"}, "GSI1PK": Item{"S": "x"}, "GSI1SK": Item{"S": "x"}})
		}},
		{Name: "a page that continues at half a key", change: func(a *Answer) bool {
			return a.Operation == "Query" && a.next(Item{"SK": Item{"S": "x"}})
		}},
		{Name: "more items than asked for", change: func(a *Answer) bool {
			list, _ := a.Body["Items"].([]any)
			if len(list) == 0 {
				return false
			}
			var items []any
			for range 1100 {
				items = append(items, list...)
			}
			a.Body["Items"] = items
			return true
		}},
		{Name: "items in reverse order", change: func(a *Answer) bool {
			list, _ := a.Body["Items"].([]any)
			slices.Reverse(list)
			return len(list) > 1 && a.Request["IndexName"] == nil
		}},
		{Name: "keys that stay unprocessed", Always: true, change: func(a *Answer) bool {
			a.Body = map[string]any{"Responses": map[string]any{}, "UnprocessedKeys": a.Request["RequestItems"]}
			return a.Operation == "BatchGetItem"
		}},
		{Name: "unprocessed keys of others", change: unprocessed(func(a *Answer, _ []any) []any {
			return []any{keyOf(a.foreign[a.turn%len(a.foreign)])}
		})},
		{Name: "more unprocessed keys than asked for", change: unprocessed(func(_ *Answer, keys []any) []any {
			return append(slices.Clone(keys), keys...)
		})},
		{Name: "items of another table", Plausible: true, change: func(a *Answer) bool {
			tables, _ := a.Body["Responses"].(map[string]any)
			for _, items := range tables {
				a.Body["Responses"] = map[string]any{"other": items}
			}
			return len(tables) > 0
		}},
	}
}

// next makes an answer claim that the page continues at a key. It reports whether it could, which
// is always.
func (a *Answer) next(key Item) bool {
	a.Body["LastEvaluatedKey"] = key
	return true
}

// neverEnds claims that each page continues where it began, or after its first item. It reports
// whether there is such a place.
func neverEnds(a *Answer) bool {
	if start, ok := a.Request["ExclusiveStartKey"].(map[string]any); ok {
		return a.next(start)
	}
	list, _ := a.Body["Items"].([]any)
	item, ok := first(list).(Item)
	if !ok {
		return false
	}
	key := keyOf(item)
	if a.Request["IndexName"] == nil {
		delete(key, "GSI1PK")
		delete(key, "GSI1SK")
	}
	return a.next(key)
}

// keyOf returns the attributes of the keys of an item.
func keyOf(item Item) Item {
	key := Item{}
	for _, name := range keyNames {
		if v, ok := item[name]; ok {
			key[name] = v
		}
	}
	return key
}

// unprocessed replaces the keys that a batch leaves unprocessed. left gets the keys of the
// request.
func unprocessed(left func(a *Answer, keys []any) []any) func(*Answer) bool {
	return func(a *Answer) bool {
		requested, _ := a.Request["RequestItems"].(map[string]any)
		for name, request := range requested {
			request, _ := request.(map[string]any)
			keys, _ := request["Keys"].([]any)
			a.Body["UnprocessedKeys"] = map[string]any{name: map[string]any{"Keys": left(a, keys)}}
		}
		return a.Operation == "BatchGetItem"
	}
}
