package pagefn

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-lambda-go/cfn"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"example.com/parley/internal/webpage"
)

// documentFolder begins the names of an issuer's documents. No file of the web app has it.
const documentFolder = ".well-known/"

// documentForm lets clients see a changed key within a minute.
var documentForm = webpage.Form{ContentType: "application/json", CacheControl: "public, max-age=60"}

// handleDocuments writes the documents of an issuer by their names, or removes them with their
// resource, unless they are kept.
func (p Config) handleDocuments(ctx context.Context, e cfn.Event, documents map[string]any) (id string, data map[string]any, err error) {
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
			p.Log.ErrorContext(ctx, "documents", "request", e.RequestType, "error", err)
			return id, nil, err
		}
	}
	p.Log.InfoContext(ctx, "documents", "request", e.RequestType, "names", names)
	return id, nil, nil
}
