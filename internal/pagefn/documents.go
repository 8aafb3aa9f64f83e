package pagefn

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/cfn"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	smithytime "github.com/aws/smithy-go/time"

	"example.com/parley/internal/webpage"
)

// documentFolder begins the names of an issuer's documents. No file of the web app has it.
const documentFolder = ".well-known/"

// documentForm lets clients see a changed key within a minute.
var documentForm = webpage.Form{ContentType: "application/json", CacheControl: "public, max-age=60"}

const (
	// askAgain is the pause between two requests for a document. CloudFront repeats a failure of
	// its bucket for 10 s.
	askAgain = 2 * time.Second
	// askMargin is the time that is left of the function's for its answer to CloudFormation.
	askMargin = 5 * time.Second
	// askTimeout bounds one request for a document.
	askTimeout = 5 * time.Second
)

// handleDocuments writes the documents of an issuer by their names, and waits until they can be
// read, or removes them with their resource, unless they are kept.
func (p Config) handleDocuments(
	ctx context.Context, e cfn.Event, documents map[string]any,
) (id string, data map[string]any, err error) {
	id = p.Bucket + "/" + documentFolder
	names := slices.Sorted(maps.Keys(documents))
	for _, name := range names {
		text, _ := documents[name].(string)
		switch {
		case !strings.HasPrefix(name, documentFolder) || text == "":
			err = fmt.Errorf("the document %q is empty, or has another folder than %s", name, documentFolder)
		case e.RequestType != cfn.RequestDelete:
			err = p.putAs(ctx, name, []byte(text), documentForm)
		case !keeps(e):
			err = p.delete(ctx, []types.Object{{Key: &name}})
		}
		if err != nil {
			break
		}
	}
	if address, _ := e.ResourceProperties["Address"].(string); err == nil && e.RequestType != cfn.RequestDelete {
		err = p.await(ctx, address, names)
	}
	if err != nil {
		p.Log.ErrorContext(ctx, "documents", "request", e.RequestType, "error", err)
		return id, nil, err
	}
	p.Log.InfoContext(ctx, "documents", "request", e.RequestType, "names", names)
	return id, nil, nil
}

// await returns when all names can be read below an address: a new distribution may refuse them
// at first, and API Gateway requests them only once. If ctx ends first, it returns the error of
// the last request.
func (p Config) await(ctx context.Context, address string, names []string) error {
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, end.Add(-askMargin))
		defer cancel()
	}
	for _, name := range names {
		for {
			err := p.ask(ctx, address+"/"+name)
			if err == nil {
				break
			}
			if smithytime.SleepWithContext(ctx, askAgain) != nil {
				return err
			}
		}
	}
	return nil
}

// ask requests a document once.
func (p Config) ask(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	res, err := p.HTTP.Do(r)
	if err != nil {
		return fmt.Errorf("read a document: %w", err)
	}
	_ = res.Body.Close() // its status is enough
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers with %d", address, res.StatusCode)
	}
	return nil
}
