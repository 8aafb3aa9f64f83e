package config

import (
	"encoding/json"
	"fmt"
)

// ContextOf is the context that the CDK's command line would give the app: what
// cdk.json says, whose text this takes, and two settings of its own (paths help to read the
// template, `sam local` needs the assets' places). cdk.json must not hold those two.
func ContextOf(cdkJSON []byte) (map[string]any, error) {
	context := map[string]any{}
	file := struct{ Context map[string]any }{Context: context}
	if err := json.Unmarshal(cdkJSON, &file); err != nil {
		return nil, fmt.Errorf("read cdk.json: %w", err)
	}
	context["aws:cdk:enable-path-metadata"] = true
	context["aws:cdk:enable-asset-metadata"] = true
	return context, nil
}
