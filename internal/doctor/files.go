package doctor

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"example.com/parley/client"
)

// content is the bytes of the file and of the picture that the run sends. Nobody sees them.
const content = "doctor"

// maxContent bounds an answer of storage, which may be an error in XML.
const maxContent = 64 << 10

// link is a signed request to storage, as the API answers it.
type link struct {
	URL     string
	Headers map[string]string
}

// sum returns the checksum of content, as the API takes it.
func sum() string {
	s := sha256.Sum256([]byte(content))
	return base64.StdEncoding.EncodeToString(s[:])
}

// answer is an answer of storage.
type answer struct {
	status int
	header http.Header
	text   string
}

// follow sends a request by a link, as a page of an origin or, with "", as a program.
func (r *exercise) follow(ctx context.Context, method string, l link, origin, body string) (answer, error) {
	address, err := url.Parse(r.URL)
	if err != nil {
		return answer{}, err
	}
	if address, err = address.Parse(l.URL); err != nil {
		return answer{}, err
	}
	in, err := http.NewRequestWithContext(ctx, method, address.String(), strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	for name, value := range l.Headers {
		in.Header.Set(name, value)
	}
	if origin != "" {
		in.Header.Set("Origin", origin)
	}
	res, err := (&http.Client{Transport: r.Transport}).Do(in)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // the address is a secret
		}
		return answer{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxContent))
	return answer{res.StatusCode, res.Header, string(text)}, err
}

// send sends the content by a link.
func (r *exercise) send(ctx context.Context, to link) error {
	a, err := r.follow(ctx, http.MethodPut, to, r.Origin, content)
	if err == nil && a.status != http.StatusOK && a.status != http.StatusPreconditionFailed {
		err = fmt.Errorf("storage answers an upload with %d", a.status)
	}
	return err
}

// sendFile posts a message with a file: once before storage has the bytes, which is refused, and
// then with them.
func (r *exercise) sendFile(ctx context.Context) error {
	id, err := uuid.NewV7FromReader(r.Random)
	if err != nil {
		return err
	}
	draft := map[string]any{"id": id, "name": "doctor", "type": r.FileType, "bytes": len(content), "sha256": sum()}
	var made struct{ Put link }
	if err := r.call(
		ctx, client.Call{Method: http.MethodPost, Path: r.path("/uploads"), Body: draft, Into: &made},
		http.StatusCreated,
	); err != nil {
		return err
	}
	body := map[string]any{"text": "", "attachments": []uuid.UUID{id}}
	if err := r.call(
		ctx, client.Call{Method: http.MethodPost, Path: r.path("/messages"), Body: body},
		http.StatusUnprocessableEntity,
	); err != nil {
		return fmt.Errorf("before the bytes are there: %w", err)
	}
	if err := r.send(ctx, made.Put); err != nil {
		return err
	}
	r.file, err = r.post(ctx, body)
	return err
}

// readFile reads the file by its link, as a program and as the page do.
func (r *exercise) readFile(ctx context.Context) error {
	var links struct{ Items []link }
	in := client.Call{
		Method: http.MethodPost, Path: r.path("/attachments/links"), Body: map[string]any{"messages": []string{r.file}},
		Into: &links,
	}
	if err := r.call(ctx, in, http.StatusOK); err != nil {
		return err
	}
	if len(links.Items) != 1 {
		return fmt.Errorf("the message with a file has %d links", len(links.Items))
	}
	r.link = links.Items[0]
	for _, origin := range []string{"", r.Origin} {
		a, err := r.follow(ctx, http.MethodGet, r.link, origin, "")
		switch {
		case err != nil:
			return err
		case a.status != http.StatusOK || a.text != content:
			return fmt.Errorf(
				"storage answers a link with %d and %d bytes, which are not the file", a.status, len(a.text),
			)
		}
		if allowed := a.header.Get("Access-Control-Allow-Origin"); origin != "" && allowed != origin && allowed != "*" {
			return fmt.Errorf("storage lets no page of %s read files: see the rules of CORS of the bucket", origin)
		}
	}
	return nil
}

// dropFile deletes the message with the file, and waits until the feed function has removed the
// file.
func (r *exercise) dropFile(ctx context.Context) error {
	if err := r.erase(ctx, r.file); err != nil {
		return err
	}
	return r.until(ctx, "the file of the deleted message is still there", func(ctx context.Context) (bool, error) {
		a, err := r.follow(ctx, http.MethodGet, r.link, "", "")
		return a.text != content, err
	})
}

// picture sets and removes the caller's picture. The picture of a person who has one stays.
func (r *exercise) picture(ctx context.Context) error {
	const me = "/people/me"
	var has struct{ Picture string }
	if err := r.call(
		ctx, client.Call{Method: http.MethodGet, Path: me, Into: &has}, http.StatusOK,
	); err != nil || has.Picture != "" {
		return err
	}
	var made struct{ Put link }
	draft := map[string]any{"type": "image/png", "bytes": len(content), "sha256": sum()}
	if err := r.call(
		ctx, client.Call{Method: http.MethodPost, Path: me + "/picture", Body: draft, Into: &made}, http.StatusOK,
	); err != nil {
		return err
	}
	if err := r.send(ctx, made.Put); err != nil {
		return err
	}
	for _, value := range []string{sum(), ""} {
		if err := r.call(
			ctx, client.Call{Method: http.MethodPatch, Path: me, Body: map[string]string{"picture": value}},
			http.StatusOK,
		); err != nil {
			return err
		}
	}
	return nil
}
