package config

import (
	"encoding/json"
	"fmt"
)

// ContextOf returns the context that the CDK's command line would pass to the app, from the text
// of cdk.json. It adds two settings that cdk.json must not contain: paths, which help to read the
// template, and the locations of assets, which `sam local` needs.
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
