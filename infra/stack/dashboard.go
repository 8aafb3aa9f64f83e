package stack

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/interfaces/interfacesawscloudwatch"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/live"
	"example.com/parley/internal/table"
)

// Sizes of widgets in the dashboard's grid, which is 24 wide.
const (
	wholeRow     = 24
	halfRow      = 12
	thirdRow     = 8
	graphHeight  = 6
	tableHeight  = 8
	statusHeight = 3
)

// timeByRoute queries the sample of requests in the functions' logs. The access log does not
// know the operations, and metrics by operation would be six custom metrics for each of
// eighty, at $0.30 a month each. A query costs $0.005 for each GB that it reads, and nothing
// while the dashboard is closed.
var timeByRoute = query(
	`filter msg = "`+httpapi.LogLine+`" and `+httpapi.LogSample+" > 1",
	"stats sum("+httpapi.LogSample+") as requests, pct("+httpapi.LogTime+", 50) as p50, "+
		"pct("+httpapi.LogTime+", 99) as p99 by "+httpapi.LogRoute,
	"sort requests desc", "limit 50")

// busiestRooms queries the feed function's log. It names the room with the most changes of every
// batch.
var busiestRooms = query(
	`filter msg = "batch" and busiestChanges > 0`,
	"stats sum(busiestChanges) as changes by busiest",
	"sort changes desc", "limit 20")

// liveDeliveries queries the feed function's log. It needs no metric; the dashboard shows fifty
// for free.
var liveDeliveries = query(
	`filter msg = "`+live.DeliveryLine+`"`,
	"stats sum("+live.LogPosts+") as frames, sum("+live.LogGone+") as ended, "+
		"sum("+live.LogDropped+") as missed, sum("+live.LogCut+") as waiting by bin(5m)",
	"sort @timestamp desc", "limit 100")

func query(lines ...string) string { return strings.Join(lines, " | ") }

// dashboard shows the metrics of the alarms, and others that explain them. An account has three
// free dashboards of up to 50 metrics; each other one is $3 a month.
func (b *builder) dashboard(w watched, alarms []awscloudwatch.Alarm) {
	d := awscloudwatch.NewDashboard(b.scope, jsii.String("Dashboard"), &awscloudwatch.DashboardProps{
		DashboardName:   jsii.String(Name(b.Config)),
		DefaultInterval: awscdk.Duration_Hours(jsii.Number(3)),
	})
	fixID(d, "Dashboard")
	var all []interfacesawscloudwatch.IAlarmRef
	for _, a := range alarms {
		all = append(all, a)
	}
	d.AddWidgets(awscloudwatch.NewAlarmStatusWidget(&awscloudwatch.AlarmStatusWidgetProps{
		Title: jsii.String("Alarms"), Alarms: &all, Width: jsii.Number(wholeRow), Height: jsii.Number(statusHeight),
	}))
	d.AddWidgets(requestGraphs(w.api)...)
	d.AddWidgets(
		logTable("Time by route, in ms", timeByRoute, "ReadLogs", "WriteLogs", "SearchLogs", "IncomingLogs"),
		logTable("Busiest rooms, by changes", busiestRooms, "FeedLogs"),
	)
	d.AddWidgets(feedGraphs(w)...)
	d.AddWidgets(
		socketGraph(w.sockets),
		logTable("Frames of live delivery, and connections that missed one", liveDeliveries, "FeedLogs"),
	)
	d.AddWidgets(functionGraphs(w)...)
	d.AddWidgets(tableGraphs(w.tables)...)
	address := "https://console.aws.amazon.com/cloudwatch/home?region=" + *b.scope.Region() +
		"#dashboards:name=" + Name(b.Config)
	b.output("DashboardUrl", jsii.String(address), "The dashboard")
}

func requestGraphs(api awsapigatewayv2.HttpApi) []awscloudwatch.IWidget {
	latency := func(statistic string) awscloudwatch.IMetric {
		return api.MetricLatency(&awscloudwatch.MetricOptions{
			Statistic: jsii.String(statistic), Label: jsii.String(statistic), Period: window(),
		})
	}
	requests := api.MetricCount(&awscloudwatch.MetricOptions{
		Statistic: jsii.String("SampleCount"), Label: jsii.String("requests"), Period: window(),
	})
	return []awscloudwatch.IWidget{
		graph("Requests, 4xx and 5xx", halfRow, requests, api.MetricClientError(sum()), api.MetricServerError(sum())),
		graph("Latency of all routes, in ms", halfRow, latency("p50"), latency("p99")),
	}
}

// socketGraph shows the connections and messages of live delivery, both ways. The dashboard has no
// room for more: it shows fifty metrics for free.
func socketGraph(api awsapigatewayv2.WebSocketApi) awscloudwatch.IWidget {
	return graph("New connections, messages and failed calls of live delivery", halfRow,
		api.Metric(
			jsii.String("ConnectCount"), sum(),
		), api.Metric(jsii.String("MessageCount"), sum()), api.Metric(jsii.String("ExecutionError"), sum()))
}

func feedGraphs(w watched) []awscloudwatch.IWidget {
	var counts []awscloudwatch.IMetric
	for _, name := range []string{
		"PolledEventCount", "FailedInvokeEventCount", "DroppedEventCount", "OnFailureDestinationDeliveredEventCount",
	} {
		counts = append(counts, events(w.mapping, name, "Sum"))
	}
	return []awscloudwatch.IWidget{
		graph("Age of the feeds, in ms", thirdRow, w.feed.Metric(jsii.String("IteratorAge"), largest())),
		graph("Changes, by the mapping's result", thirdRow, counts...),
		graph("Failure queue", thirdRow, w.failures.MetricApproximateNumberOfMessagesVisible(largest())),
	}
}

func functionGraphs(w watched) []awscloudwatch.IWidget {
	var duration, trouble, running []awscloudwatch.IMetric
	for _, f := range w.functions {
		if f.name == "Incoming" { // fifty metrics are free, and its alarms watch it
			continue
		}
		named := func(what, statistic string) *awscloudwatch.MetricOptions {
			return &awscloudwatch.MetricOptions{
				Statistic: jsii.String(statistic), Label: jsii.String(f.name + " " + what), Period: window(),
			}
		}
		duration = append(duration, f.MetricDuration(named("p99", "p99")))
		trouble = append(trouble, f.MetricErrors(named("errors", "Sum")), f.MetricThrottles(named("throttles", "Sum")))
		running = append(running, f.Metric(jsii.String("ConcurrentExecutions"), named("at once", "Maximum")))
	}
	return []awscloudwatch.IWidget{
		graph("Time of a call, in ms", thirdRow, duration...),
		graph("Errors and throttles of functions", thirdRow, trouble...),
		graph("Calls at once", thirdRow, running...),
	}
}

func tableGraphs(t tables) []awscloudwatch.IWidget {
	var units, refused []awscloudwatch.IMetric
	for _, kind := range []string{"Read", "Write"} {
		consumed := "Consumed" + kind + "CapacityUnits"
		units = append(units, tableMetric(t.chat, consumed, ""), tableMetric(t.chat, consumed, table.Index))
		refused = append(
			refused, throttles(t.chat, kind), indexThrottles(t.chat, kind), throttles(t.log, kind),
			throttles(t.live, kind),
		)
	}
	return []awscloudwatch.IWidget{
		graph("Units consumed by table and index", halfRow, units...),
		graph("Requests that DynamoDB refuses", halfRow, refused...),
	}
}

func graph(title string, width float64, metrics ...awscloudwatch.IMetric) awscloudwatch.IWidget {
	return awscloudwatch.NewGraphWidget(&awscloudwatch.GraphWidgetProps{
		Title: jsii.String(title), Left: &metrics, Width: jsii.Number(width), Height: jsii.Number(graphHeight),
		LeftYAxis: &awscloudwatch.YAxisProps{Min: jsii.Number(0), ShowUnits: jsii.Bool(false)},
	})
}

// logTable shows the result of a query on some of the stack's logs. The query runs when the
// dashboard is opened.
func logTable(title, query string, logs ...string) awscloudwatch.IWidget {
	var groups []*string
	for _, id := range logs {
		groups = append(groups, awscdk.Fn_Ref(jsii.String(id)))
	}
	return awscloudwatch.NewLogQueryWidget(&awscloudwatch.LogQueryWidgetProps{
		Title: jsii.String(title), LogGroupNames: &groups, QueryString: jsii.String(query),
		View: awscloudwatch.LogQueryVisualizationType_TABLE, Width: jsii.Number(halfRow),
		Height: jsii.Number(tableHeight),
	})
}
