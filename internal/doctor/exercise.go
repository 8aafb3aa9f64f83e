package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	smithytime "github.com/aws/smithy-go/time"
	"github.com/google/uuid"

	"example.com/parley/client"
)

const (
	// Guest is the user whom the run adds to its room, mentions and removes. Nobody signs in as
	// this user.
	Guest = "parley-doctor"
	// RoomName is the name of the room, for people who find it in an audit.
	RoomName = "Doctor"
	// DefaultPatience bounds the time until an effect of the feed function shows.
	DefaultPatience = 30 * time.Second
	// pollPause is the pause between two attempts to read something that does not exist yet.
	pollPause = 250 * time.Millisecond
)

// ExerciseOptions are the dependencies of Exercise.
type ExerciseOptions struct {
	URL    string // of the API
	Socket string // the address of live delivery
	Token  string // an access token of a user who may create rooms
	// Transport carries requests and handshakes; nil is http.DefaultTransport.
	Transport http.RoundTripper
	// SendRate is the deployment's setting. The read limit depends on it.
	SendRate int
	// FileType is a media type that the deployment accepts. Origin is a page that reads its files;
	// empty means that there is none.
	FileType, Origin string
	// Pictures reports whether people set their own pictures.
	Pictures bool
	Clock    func() time.Time
	Random   io.Reader     // for ids of messages
	Patience time.Duration // zero is DefaultPatience
}

// Step is the outcome of one step.
type Step struct {
	Name string
	// Statements are the statements of docs/security.md that the step exercises, such as "write
	// CloseFeeds".
	Statements []string
	// Minor reports that this repository's clients still work if the step fails.
	Minor bool
	Took  time.Duration
	Err   error
}

// Exercise uses the permissions of a deployment as one of its users. It runs all steps, even if
// some fail. Only without a room does it end early. The room is always deleted.
func Exercise(ctx context.Context, c ExerciseOptions) ([]Step, error) {
	if c.Patience == 0 {
		c.Patience = DefaultPatience
	}
	api, err := client.New(c.URL, client.Fixed(c.Token), c.Transport)
	if err != nil {
		return nil, err
	}
	r := &exercise{ExerciseOptions: c, api: api}
	var steps []Step
	try := func(s step) {
		began := c.Clock()
		err := s.do(ctx)
		steps = append(
			steps,
			Step{Name: s.name, Statements: s.statements, Minor: s.name == asGo, Took: c.Clock().Sub(began), Err: err},
		)
	}
	if try(step{"create a room", []string{"write WriteItems"}, r.create}); r.room == "" {
		return steps, nil
	}
	for _, s := range r.plan() {
		try(s)
	}
	try(step{"delete the room", []string{"write CloseFeeds", "write EndSubscriptions"}, r.remove})
	return steps, nil
}

// exercise is the state of one run.
type exercise struct {
	ExerciseOptions
	api        *client.Client
	room, user string
	root       string // the message that others reply to
	file       string // the message with a file, and a link to it
	link       link
}

// asGo is the step whose failure matters only to other clients: this repository's clients spell
// the header as browsers do.
const asGo = "connect as Go does"

type step struct {
	name       string
	statements []string
	do         func(context.Context) error
}

func (r *exercise) plan() []step {
	goClient := func(ctx context.Context) error { return r.listen(ctx, goSpelling) }
	browser := func(ctx context.Context) error { return r.listen(ctx, browserSpelling) }
	counts := []string{
		"feed CountRows", "feed ReadTallies", "feed WriteTallies", "feed WriteReplies", "feed WriteFollows",
	}
	steps := []step{
		{"take a member in", []string{"write CheckStandings"}, r.join},
		{"leave as the only owner", []string{"write FindOwners"}, r.leave},
		{"keep the room unarchived", []string{"write FindClosed"}, r.unarchive},
		{"list who is online", []string{"read ReadOnline"}, r.online},
		{"read a large page", []string{"read SpendReads"}, r.largePage},
		{"search for its messages", []string{"search SpendReads"}, r.search},
		{
			"post by a webhook", []string{"incoming ReadWebhooks", "incoming ReadRooms", "incoming PutMessages"},
			r.webhook,
		},
		{"reply, and follow the thread", counts, r.reply},
		{"react, and take it back", []string{"write DeleteReactions"}, r.react},
		{"save a message, and forget it", []string{"write DeleteFacts"}, r.save},
		{"delete a pinned message", []string{"feed RemovePins"}, r.unpin},
		{"send a file", []string{"write UseFiles", "write DetectMissingFiles"}, r.sendFile},
		{"read the file", []string{"read UseFiles"}, r.readFile},
		{"delete the file", []string{"feed UseFiles"}, r.dropFile},
		{
			"mention the member",
			[]string{"feed DecideMentions", "feed WriteMentions", "feed ReadFeeds", "feed AppendFeeds"}, r.mention,
		},
		{asGo, nil, goClient},
		{
			"connect as a browser does",
			[]string{"socket ReadMemberships", "socket ReadRooms", "socket ReadHeads", "socket ReadSuspensions"},
			browser,
		},
		{"listen to the own rooms", []string{"socket ReadMarkers"}, r.listenToOwn},
		{"be refused until the end", nil, r.refused},
		{"remove the member", []string{"feed ReadMemberships", "feed ReadRooms"}, r.removeMember},
	}
	if r.Pictures {
		steps = append(steps, step{"set a picture, and remove it", []string{"write RemovePictures"}, r.picture})
	}
	return steps
}

// call sends a request and expects a status.
func (r *exercise) call(ctx context.Context, in client.Call, want int) error {
	in.Want = []int{want}
	_, err := r.api.Do(ctx, in)
	return err
}

func (r *exercise) path(rest string) string { return "/rooms/" + r.room + rest }

func message(id string) string { return "/messages/" + url.PathEscape(id) }

// create creates the room and finds out who the caller is.
func (r *exercise) create(ctx context.Context) error {
	draft := map[string]string{
		"visibility": "private", "name": RoomName, "topic": "chat doctor --after deletes this room",
	}
	var made struct{ ID, CreatedBy string }
	err := r.call(
		ctx, client.Call{Method: http.MethodPost, Path: "/rooms", Body: draft, Into: &made}, http.StatusCreated,
	)
	r.room, r.user = made.ID, made.CreatedBy
	return err
}

func (r *exercise) remove(ctx context.Context) error {
	return r.call(ctx, client.Call{Method: http.MethodDelete, Path: r.path("")}, http.StatusNoContent)
}

// post posts a message with a new id, and returns it as the API names it.
func (r *exercise) post(ctx context.Context, body map[string]any) (string, error) {
	id, err := uuid.NewV7FromReader(r.Random)
	if err != nil {
		return "", err
	}
	body["id"] = id.String()
	var made struct{ ID string }
	err = r.call(
		ctx, client.Call{Method: http.MethodPost, Path: r.path("/messages"), Body: body, Into: &made},
		http.StatusCreated,
	)
	return made.ID, err
}

// until repeats attempt until it reports true or fails, or the run's patience is over.
func (r *exercise) until(ctx context.Context, missing string, attempt func(context.Context) (bool, error)) error {
	limit := r.Clock().Add(r.Patience)
	for {
		if done, err := attempt(ctx); done || err != nil {
			return err
		}
		if r.Clock().After(limit) {
			return fmt.Errorf("after %v %s", r.Patience, missing)
		}
		if err := smithytime.SleepWithContext(ctx, pollPause); err != nil {
			return errors.Join(errors.New(missing), err)
		}
	}
}
