package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/incoming"
	"example.com/parley/internal/wire"
)

// IncomingBody is an incoming webhook as the API shows it.
type IncomingBody struct {
	ID        string `json:"id" doc:"Names the webhook; it posts nothing" example:"5bf1c0a4e1f34a7b9c0d2e6f8a1b3c5d"`
	Room      string `json:"room" example:"seattle"`
	Name      string `json:"name" doc:"The name of the bot that its messages have as their sender" example:"Alerts"`
	User      string `json:"user" doc:"The bot's user id. Nobody can sign in as it" example:"bot:5bf1c0a4e1f34a7b9c0d2e6f8a1b3c5d"`
	CreatedBy string `json:"createdBy" example:"amsg"`
	CreatedAt string `json:"createdAt" format:"date-time"`
}

func incomingOf(w incoming.Webhook) IncomingBody {
	return IncomingBody{
		ID: string(w.ID), Room: string(w.Room), Name: w.Name, User: string(w.Bot()), CreatedBy: string(w.CreatedBy),
		CreatedAt: wire.TimeText(w.CreatedAt),
	}
}

// secretIncomingBody is a webhook with its secret. The embedded type has an exported name, because
// the document omits the properties of unexported ones.
type secretIncomingBody struct {
	IncomingBody
	Secret string `json:"secret" doc:"The webhook's address is /in/{secret} below the API's. Only this answer has it; the server stores its hash" example:"5bf1c0a4e1f34a7b9c0d2e6f8a1b3c5dmfrggzdfmztwq2lkmfrggzdfmztwq2lkmfrggzdfmztwq2lkmfra"`
}

type secretIncomingOutput struct {
	Body secretIncomingBody `nameHint:"SecretIncoming"`
}

type postIncomingInput struct {
	RoomPath
	Body struct {
		Name string `json:"name" maxLength:"100" doc:"1 to 100 bytes of UTF-8 in one line: what people see as the sender" example:"Alerts"`
	}
}

func postIncomingOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "post-incoming", Method: http.MethodPost, Path: "/rooms/{room}/incoming",
		Summary: "Create an incoming webhook",
		Description: "For owners, and for services with the room. Every program with the secret may post messages " +
			"into the room, and read nothing. A room has at most 5. A retry creates another one, since the secret of " +
			"the first was lost with its answer: remove that one. Direct and archived rooms get none.",
		Tags:          []string{"webhooks"},
		DefaultStatus: http.StatusCreated,
		Errors:        []int{http.StatusNotFound, http.StatusConflict},
	}, postIncoming)
}

func postIncoming(
	ctx context.Context, s *server, caller chat.UserID, in *postIncomingInput,
) (*secretIncomingOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	w, secret, err := s.service.Incoming.Create(ctx, caller, room, in.Body.Name)
	if err != nil {
		return nil, err
	}
	return &secretIncomingOutput{Body: secretIncomingBody{incomingOf(w), string(secret)}}, nil
}

type listIncomingOutput struct {
	Body struct {
		Items []IncomingBody `json:"items" maxItems:"5"`
	}
}

func listIncomingOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-incoming", Method: http.MethodGet, Path: "/rooms/{room}/incoming",
		Summary:     "List the incoming webhooks of a room",
		Description: "For owners, and for services with the room: all of them, without secrets.",
		Tags:        []string{"webhooks"},
		Errors:      []int{http.StatusNotFound},
	}, listIncoming)
}

func listIncoming(ctx context.Context, s *server, caller chat.UserID, in *RoomPath) (*listIncomingOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	all, err := s.service.Incoming.Webhooks(ctx, caller, room)
	if err != nil {
		return nil, err
	}
	out := &listIncomingOutput{}
	out.Body.Items = each(all, incomingOf)
	return out, nil
}

// IncomingPath is the path of a room's webhook. It is exported for huma, like RoomPath.
type IncomingPath struct {
	RoomPath
	Incoming string `path:"incoming" format:"incoming-id" doc:"The webhook's id, which is not its secret" example:"5bf1c0a4e1f34a7b9c0d2e6f8a1b3c5d"`
}

func (p IncomingPath) parse() (room chat.RoomID, id incoming.ID, err error) {
	if room, err = chat.ParseRoomID(p.Room); err != nil {
		return "", "", err
	}
	id, err = incoming.ParseID(p.Incoming)
	return room, id, err
}

func postIncomingSecretOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "post-incoming-secret", Method: http.MethodPost,
		Path:    "/rooms/{room}/incoming/{incoming}/secret",
		Summary: "Replace the secret of an incoming webhook",
		Description: "For owners, and for services with the room. The former secret posts nothing from then on, " +
			"within a second. A retry replaces it again, since the first one was lost with its answer.",
		Tags:   []string{"webhooks"},
		Errors: []int{http.StatusNotFound},
	}, postIncomingSecret)
}

func postIncomingSecret(
	ctx context.Context, s *server, caller chat.UserID, in *IncomingPath,
) (*secretIncomingOutput, error) {
	room, id, err := in.parse()
	if err != nil {
		return nil, err
	}
	w, secret, err := s.service.Incoming.ReplaceSecret(ctx, caller, room, id)
	if err != nil {
		return nil, err
	}
	return &secretIncomingOutput{Body: secretIncomingBody{incomingOf(w), string(secret)}}, nil
}

func deleteIncomingOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "delete-incoming", Method: http.MethodDelete, Path: "/rooms/{room}/incoming/{incoming}",
		Summary: "Remove an incoming webhook",
		Description: "For owners, and for services with the room, also in an archived one. It posts nothing from " +
			"then on; its messages stay. Removing it again changes nothing.",
		Tags:          []string{"webhooks"},
		DefaultStatus: http.StatusNoContent,
		Errors:        []int{http.StatusNotFound},
	}, deleteIncoming)
}

func deleteIncoming(ctx context.Context, s *server, caller chat.UserID, in *IncomingPath) (*struct{}, error) {
	room, id, err := in.parse()
	if err != nil {
		return nil, err
	}
	return nil, s.service.Incoming.Remove(ctx, caller, room, id)
}

type useIncomingInput struct {
	Secret         string `path:"secret" format:"incoming-secret" doc:"The secret of an incoming webhook" example:"5bf1c0a4e1f34a7b9c0d2e6f8a1b3c5dmfrggzdfmztwq2lkmfrggzdfmztwq2lkmfrggzdfmztwq2lkmfra"`
	Thread         string `query:"thread" maxLength:"255" doc:"A key of the sender's, at most 255 bytes of UTF-8, such as an alert's. The first message of the webhook with the key begins a thread, and the others of a week are replies in it. thread_key and thread_ts in the body do the same" example:"disk-7"`
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"255" doc:"Any text of at most 255 bytes of UTF-8 that a repeated request repeats: within 24 hours it posts nothing more, and answers with the first message" example:"build-812"`
	RawBody        []byte `contentType:"application/x-www-form-urlencoded"`
}

type useIncomingOutput struct {
	Replay string `header:"Idempotent-Replay" doc:"true for a repeated Idempotency-Key"`
	Body   struct {
		OK bool   `json:"ok" doc:"Always true; senders for Slack check it"`
		ID string `json:"id" doc:"The message's id" example:"01890a5d-ac96-774b-bcce-b302099a8057~bot:5bf1c0a4e1f34a7b9c0d2e6f8a1b3c5d"`
	} `nameHint:"PostedIncoming"`
}

// useIncomingOperation has a body that huma does not read: programs send it as JSON or in a form,
// with fields that the document does not have.
func useIncomingOperation() operation {
	body := &huma.RequestBody{Content: map[string]*huma.MediaType{}}
	op := definePublic(Incoming, huma.Operation{
		OperationID: "use-incoming", Method: http.MethodPost, Path: "/in/{secret}",
		Summary: "Post a message by an incoming webhook; needs no access token",
		Description: "For programs that have the secret. The body is " + `{"text"}` + " or anything else in the " +
			"format of Slack's incoming webhooks: attachments and blocks become text, the sender's name and picture " +
			"are ignored, and a text beyond 32768 bytes is cut. It may also be the field payload of a form. A bot " +
			"with the webhook's name posts the message. 404 when there is no such webhook or its room is deleted, " +
			"403 when the room is archived.",
		Tags:         []string{"webhooks"},
		MaxBodyBytes: incoming.MaxBody,
		RequestBody:  body,
		Errors: []int{
			http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusConflict,
			http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity,
		},
	}, useIncoming)
	register := op.register
	op.register = func(api huma.API, s *server) {
		register(api, s)
		describeIncoming(api.OpenAPI(), body)
	}
	op.anyMedia = true
	return op
}

// describeIncoming describes the body of useIncoming, as JSON and as a form. Clients of this API
// need no field of Slack's format but the text, and the document lists no others.
func describeIncoming(document *huma.OpenAPI, body *huma.RequestBody) {
	text := func(description string) *huma.Schema {
		return &huma.Schema{Type: huma.TypeString, Description: description}
	}
	schemas := document.Components.Schemas.Map()
	schemas["IncomingMessage"] = &huma.Schema{
		Type: huma.TypeObject, Required: []string{"text"}, AdditionalProperties: false,
		Properties: map[string]*huma.Schema{
			"text":       text("Slack's markup, in which most Markdown means what it says. It is cut at 32768 bytes"),
			"thread_key": text("As the parameter thread"),
		},
	}
	schemas["IncomingForm"] = &huma.Schema{
		Type: huma.TypeObject, Required: []string{"payload"},
		Properties: map[string]*huma.Schema{"payload": text("The JSON")},
	}
	body.Content[jsonType] = &huma.MediaType{Schema: &huma.Schema{Ref: schemaPrefix + "IncomingMessage"}}
	body.Content[incoming.FormType] = &huma.MediaType{Schema: &huma.Schema{Ref: schemaPrefix + "IncomingForm"}}
}

func useIncoming(ctx context.Context, s *server, in *useIncomingInput) (*useIncomingOutput, error) {
	w, err := s.service.Incoming.Webhook(ctx, incoming.Secret(in.Secret))
	if err != nil {
		return nil, err
	}
	if err := s.admitBot(ctx, w.Bot(), in); err != nil {
		return nil, err
	}
	r, _ := ctx.Value(requestKey{}).(request)
	d, err := incoming.Decode(r.header.Get("Content-Type"), in.RawBody)
	if err != nil {
		return nil, err
	}
	if in.Thread != "" {
		d.Thread = in.Thread
	}
	d.Key = in.IdempotencyKey
	m, replay, err := s.service.Incoming.Post(ctx, w, d)
	if err != nil {
		return nil, err
	}
	out := &useIncomingOutput{}
	out.Body.OK, out.Body.ID = true, m.ID.String()
	if replay {
		out.Replay = "true"
	}
	return out, nil
}

// admitBot charges a message to the budgets of a webhook's bot, which are as a person's. The bot's
// account may be cached for account.CacheAge.
func (s *server) admitBot(ctx context.Context, bot chat.UserID, in any) error {
	if err := s.allow(ctx, bot, messagePrice); err != nil {
		return err
	}
	a, err := s.service.Accounts.CheckRecent(ctx, bot)
	if err != nil {
		return err
	}
	return s.charge(ctx, bot, messagePrice, in, a.Budgets)
}
