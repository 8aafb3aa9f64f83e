package measure

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/follow"
)

const (
	// seenRounds are enough for a 99th percentile of more than one.
	seenRounds = 200
	// seenGoal is for the 99th percentile, from the paste to the last byte of the picture.
	seenGoal = 500 * time.Millisecond
	// screenshot and itsPreview are typical sizes.
	screenshot, itsPreview = 350_000, 40_000
)

// upload is a request that stores a file.
type upload struct {
	URL     string
	Headers map[string]string
}

// announced is an upload whose bytes are to be sent.
type announced struct {
	ID      string
	Put     upload
	Preview upload
}

// randomFile returns bytes that cannot be compressed.
func randomFile(size int) []byte {
	file := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(file) // never fails
	return file
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

// description describes bytes to the API.
func description(mediaType string, file []byte) map[string]any {
	sum := sha256.Sum256(file)
	return map[string]any{"type": mediaType, "bytes": len(file), "sha256": base64.StdEncoding.EncodeToString(sum[:])}
}

// announce announces a file, with a preview unless it is nil.
func (s *runningServer) announce(
	ctx context.Context, file []byte, mediaType string, preview []byte,
) (a announced, err error) {
	body := description(mediaType, file)
	body["id"], body["name"] = uuid.Must(uuid.NewV7()).String(), "file.png"
	if preview != nil {
		body["preview"] = description("image/jpeg", preview)
	}
	text, err := json.Marshal(body)
	if err != nil {
		return a, err
	}
	return a, s.ask(ctx, s.url+"/rooms/"+filesRoom+"/uploads", string(text), &a)
}

// ask sends a POST and reads the answer.
func (s *runningServer) ask(ctx context.Context, address, body string, answer any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+s.token)
	res, err := s.client.Do(r)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return err
	}
	if res.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("POST %s: %d %s", address, res.StatusCode, text)
	}
	return json.Unmarshal(text, answer)
}

// send sends a file.
func (s *runningServer) send(ctx context.Context, to upload, file []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPut, s.resolve(to.URL), bytes.NewReader(file))
	if err != nil {
		return err
	}
	for name, value := range to.Headers {
		r.Header.Set(name, value)
	}
	return s.transfer(r, -1)
}

// receive reads a file of a size.
func (s *runningServer) receive(ctx context.Context, address string, size int64) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.resolve(address), nil)
	if err != nil {
		return err
	}
	return s.transfer(r, size)
}

// resolve returns an address that may be relative to the server's.
func (s *runningServer) resolve(address string) string {
	if strings.HasPrefix(address, "/") {
		return s.url + address
	}
	return address
}

// transfer makes a request, and reads the answer, of a size unless that is negative.
func (s *runningServer) transfer(r *http.Request, size int64) error {
	res, err := s.client.Do(r)
	if err != nil {
		return err
	}
	n, err := io.Copy(io.Discard, res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return err
	}
	if res.StatusCode >= http.StatusMultipleChoices || size >= 0 && n != size {
		return fmt.Errorf("%s %s: status %d, %d bytes", r.Method, r.URL.Path, res.StatusCode, n)
	}
	return nil
}

// postFile posts a message with a file, and returns its id.
func (s *runningServer) postFile(ctx context.Context, file string) (string, error) {
	return s.call(ctx, http.MethodPost, "/rooms/"+filesRoom+"/messages", `{"text":"","attachments":["`+file+`"]}`)
}

// fileLink has the addresses of a file of a message.
type fileLink struct{ URL, Preview string }

// linkOf returns the link of the file of a message.
func (s *runningServer) linkOf(ctx context.Context, message string) (fileLink, error) {
	var links struct{ Items []fileLink }
	err := s.ask(ctx, s.url+"/rooms/"+filesRoom+"/attachments/links", fmt.Sprintf(`{"messages":[%q]}`, message), &links)
	if err == nil && len(links.Items) != 1 {
		err = fmt.Errorf("message %s has %d links", message, len(links.Items))
	}
	if err != nil {
		return fileLink{}, err
	}
	return links.Items[0], nil
}

// seen measures how long a picture takes from its paste until another person has it.
func (s *runningServer) seen(ctx context.Context) ([]Figure, error) {
	tokens, err := s.tokens()
	if err != nil {
		return nil, err
	}
	token, err := tokens.Token("viewer", tokensLife)
	if err != nil {
		return nil, err
	}
	conn, err := follow.DialSocket(ctx, follow.SocketAddress(s.url), token)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := conn.Write(
		ctx, []byte(`{"type":"hello","id":"1","rooms":[{"id":"`+filesRoom+`","mode":"full"}]}`),
	); err != nil {
		return nil, err
	}
	if err := awaitFrame(ctx, conn, `"ack"`); err != nil {
		return nil, err
	}
	picture, preview := randomFile(screenshot), randomFile(itsPreview)
	var waits []time.Duration
	for round := range s.scale.of(seenRounds) {
		picture[0], picture[1] = byte(round), byte(round>>8)
		began := time.Now()
		if err := s.showPicture(ctx, conn, picture, preview); err != nil {
			return nil, err
		}
		waits = append(waits, time.Since(began))
	}
	return percentiles("a picture of 350 KB pasted and seen by another", waits, 0, seenGoal), nil
}

// showPicture posts a picture, and reads its preview and the picture as somebody else.
func (s *runningServer) showPicture(ctx context.Context, viewer follow.Socket, picture, preview []byte) error {
	a, err := s.announce(ctx, picture, "image/png", preview)
	if err != nil {
		return err
	}
	var both errgroup.Group
	both.Go(func() error { return s.send(ctx, a.Put, picture) })
	both.Go(func() error { return s.send(ctx, a.Preview, preview) })
	if err := both.Wait(); err != nil {
		return err
	}
	message, err := s.postFile(ctx, a.ID)
	if err != nil {
		return err
	}
	if err := awaitFrame(ctx, viewer, message); err != nil {
		return err
	}
	link, err := s.linkOf(ctx, message)
	if err != nil {
		return err
	}
	if err := s.receive(ctx, link.Preview, int64(len(preview))); err != nil {
		return err
	}
	return s.receive(ctx, link.URL, int64(len(picture)))
}

// awaitFrame reads frames until one has a text.
func awaitFrame(ctx context.Context, conn follow.Socket, text string) error {
	for {
		frame, err := conn.Read(ctx)
		if err != nil {
			return fmt.Errorf("no frame with %s: %w", text, err)
		}
		if bytes.Contains(frame, []byte(text)) {
			return nil
		}
	}
}
