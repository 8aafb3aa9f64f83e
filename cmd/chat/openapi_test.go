package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestOpenAPI_PrintsBothForms(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{"": `"openapi": "3.1.0"`, "--form 3.0": `"openapi": "3.0.3"`} {
		var out, errs bytes.Buffer
		status := run(t.Context(), append([]string{"openapi"}, strings.Fields(args)...), &out, &errs)
		if status != exitDone || !strings.Contains(out.String(), want) {
			t.Errorf("chat openapi %s exits with %d and lacks %s: %s", args, status, want, errs.String())
		}
	}
}
