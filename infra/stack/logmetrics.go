package stack

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/jsii-runtime-go"
)

// authorizerFailed matches the lines of failures in the authorizer's log. An invalid token is not
// one, although Lambda counts it among the errors: API Gateway answers 401 only to an error. The
// other conditions match Lambda's own lines, about calls that took too long and processes that
// ended.
const authorizerFailed = `{ $.level = "ERROR" || $.record.status = "timeout" || $.record.errorType = "Runtime.ExitError" }`

// logMetric counts lines of a function's log.
type logMetric struct {
	name    string // of the metric, and the filter's logical id
	log     string // the log's logical id
	pattern string
	value   string // a field of the line, or a number
}

// logMetric creates a metric. It costs $0.30 in a month in which a line matches, and nothing in
// others.
func (b *builder) logMetric(m logMetric) awscloudwatch.IMetric {
	filter := awslogs.NewCfnMetricFilter(b.scope, jsii.String(m.name+"Filter"), &awslogs.CfnMetricFilterProps{
		LogGroupName:  b.scope.Node().FindChild(jsii.String(m.log)).(awslogs.LogGroup).LogGroupName(),
		FilterPattern: jsii.String(m.pattern),
		MetricTransformations: []any{&awslogs.CfnMetricFilter_MetricTransformationProperty{
			MetricNamespace: jsii.String(Name(b.Config.Env)), MetricName: jsii.String(m.name), MetricValue: jsii.String(m.value),
		}},
	})
	filter.OverrideLogicalId(jsii.String(m.name + "Filter"))
	return awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
		Namespace: jsii.String(Name(b.Config.Env)), MetricName: jsii.String(m.name), Statistic: jsii.String("Sum"), Period: window(),
	})
}
