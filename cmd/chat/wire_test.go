//go:build extra

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// altered starts a proxy in front of a server, and returns its address. It alters answers as later
// versions and API Gateway may:
//   - lists have a field that no document has, the feed a change of a new type, and the audit log
//     an entry of a new action
//   - the room limited is answered with the 429 of the API, the room throttled with API Gateway's,
//     and the room novel with a problem of a new type
func altered(t *testing.T, server string) string {
	target, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Header.Del("Accept-Encoding") // altered bodies are plain
		},
		ModifyResponse: alter,
	}
	s := httptest.NewServer(proxy)
	t.Cleanup(s.Close)
	return s.URL
}

func alter(res *http.Response) error {
	path := res.Request.URL.Path
	room, rest, _ := strings.Cut(strings.TrimPrefix(path, "/rooms/"), "/")
	switch {
	case room == "limited":
		res.Header.Set("Retry-After", "1")
		return refuse(res, http.StatusTooManyRequests, "rate-limited")
	case room == "novel":
		return refuse(res, http.StatusNotFound, "of-a-later-version")
	case room == "throttled":
		res.StatusCode = http.StatusTooManyRequests
		res.Header.Set("Content-Type", "application/json")
		return replace(res, []byte(`{"message":"Too Many Requests"}`))
	case res.StatusCode == http.StatusOK && res.Request.Method == http.MethodGet && rest == "changes":
		return extend(res, func(last map[string]any) map[string]any {
			return map[string]any{"seq": last["seq"].(float64) + 1, "type": "tide.changed", "height": map[string]any{"feet": 3}}
		})
	case res.StatusCode == http.StatusOK && res.Request.Method == http.MethodGet && rest == "audit":
		return extend(res, func(last map[string]any) map[string]any {
			last["action"] = "room.sailed"
			return last
		})
	case res.StatusCode == http.StatusOK && res.Request.Method == http.MethodGet && rest == "messages":
		return extend(res, nil)
	}
	return nil
}

// refuse makes a problem of another type from the problem of a room that does not exist.
func refuse(res *http.Response, status int, kind string) error {
	var problem map[string]any
	if err := json.NewDecoder(res.Body).Decode(&problem); err != nil {
		return err
	}
	res.StatusCode = status
	problem["type"] = strings.Replace(problem["type"].(string), "not-found", kind, 1)
	problem["title"], problem["detail"] = "Of the wire", "The wire has altered this problem."
	problem["status"], problem["retryable"] = status, true
	text, err := json.Marshal(problem)
	if err != nil {
		return err
	}
	return replace(res, text)
}

// extend adds a field to each entry of a list, and one more entry made from the last.
func extend(res *http.Response, more func(last map[string]any) map[string]any) error {
	var page map[string]any
	if err := json.NewDecoder(res.Body).Decode(&page); err != nil {
		return err
	}
	for name, value := range page {
		list, ok := value.([]any)
		if !ok || len(list) == 0 {
			continue
		}
		for _, entry := range list {
			entry.(map[string]any)["weather"] = "rain"
		}
		if more != nil {
			var last map[string]any
			text, err := json.Marshal(list[len(list)-1])
			if err != nil {
				return err
			}
			if err := json.Unmarshal(text, &last); err != nil {
				return err
			}
			page[name] = append(list, more(last))
		}
	}
	text, err := json.Marshal(page)
	if err != nil {
		return err
	}
	return replace(res, text)
}

func replace(res *http.Response, text []byte) error {
	if err := res.Body.Close(); err != nil {
		return err
	}
	res.Body = io.NopCloser(bytes.NewReader(text))
	res.ContentLength = int64(len(text))
	res.Header.Set("Content-Length", strconv.Itoa(len(text)))
	res.Header.Del("Etag")
	return nil
}

// everything creates a room in which each kind of message, change and audited action occurs.
func everything(t *testing.T, server string, owner, member string) {
	ask := func(method, path, token, body string) (id string) {
		status, text, err := call(t.Context(), method, server+"/rooms/everything"+path, token, body)
		if err != nil || status/100 != 2 {
			t.Fatalf("%s %s: %d %s, %v", method, path, status, text, err)
		}
		var answer struct{ ID string }
		_ = json.Unmarshal([]byte(text), &answer) // some answers have no body
		return answer.ID
	}
	post := func(token, body string) string { return ask("POST", "/messages", token, body) }
	ask("PUT", "", owner, `{"name": "Everything"}`)
	ask("PUT", "/members/me", member, `{"role": "member"}`)
	ask("PUT", "", owner, `{"topic": "each kind of message"}`)
	first := post(owner, `{"text": "first", "metadata": {"a": [1, {"b": null}]}}`)
	post(member, `{"text": "quotes", "quote": "`+first+`", "mentions": ["amsg"]}`)
	post(member, `{"text": "replies", "thread": "`+first+`"}`)
	post(member, `{"text": "replies to all", "thread": "`+first+`", "showInRoom": true}`)
	post(owner, `{"text": "tea?", "poll": {"options": ["yes", "no"], "multiple": true}}`)
	ask("PATCH", "/messages/"+first, owner, `{"text": "edited"}`)
	ask("DELETE", "/messages/"+post(member, `{"text": "deleted"}`), owner, "")
	ask("PUT", "/messages/"+first+"/pin", owner, "")
	ask("PUT", "/messages/"+first+"/reactions/"+url.PathEscape("👍"), member, "")
}
