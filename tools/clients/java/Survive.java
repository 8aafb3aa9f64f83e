import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ActivityApi;
import org.openapitools.client.api.ChangesApi;
import org.openapitools.client.api.MessagesApi;
import org.openapitools.client.api.RoomsApi;
import org.openapitools.client.model.PostMessageRequest;

/** Meets what the wire does (cmd/chat/wire_test.go) with the client of openapi-generator. */
public class Survive {
  private static final String ROOM = "everything";

  /** A request that may be refused. */
  private interface Call {
    Object send() throws ApiException;
  }

  public static void main(String[] args) throws ApiException {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("PARLEY_URL"));
    client.setRequestInterceptor(r -> r.setHeader("Authorization", "Bearer " + System.getenv("PARLEY_TOKEN")));
    MessagesApi messages = new MessagesApi(client);
    RoomsApi rooms = new RoomsApi(client);

    shows(messages.postMessage(ROOM, new PostMessageRequest().text("from Java"), null, null), "from Java");
    shows(list(messages, null), "from Java", "quotes", "replies to all", "tea?", "edited", "deletedAt");
    shows(new ChangesApi(client).listChanges(ROOM, null, 200L, null, null),
        "message.created", "member.changed", "room.changed", "pins.changed");
    shows(new ActivityApi(client).listAudit(ROOM, null, null, null, null, null), "room.created", "room.sailed");
    refused(() -> rooms.getRoom("limited", null, null, null), 429, "rate-limited");
    refused(() -> rooms.getRoom("throttled", null, null, null), 429, "Too Many Requests");
    refused(() -> rooms.getRoom("novel", null, null, null), 404, "of-a-later-version");
    refused(() -> list(messages, "nonsense"), 400, "bad-cursor");
    System.out.println("openapi-generator java: ok");
  }

  private static Object list(MessagesApi messages, String cursor) throws ApiException {
    return messages.listMessages(ROOM, null, cursor, null, null, null, null, null, null, null, null, null, null);
  }

  /** Checks that an answer contains some texts. */
  private static void shows(Object answer, String... texts) {
    for (String text : texts) {
      if (!answer.toString().contains(text)) throw new AssertionError(text + " is missing: " + answer);
    }
  }

  /** Checks the status and the body of an error. */
  private static void refused(Call call, int status, String text) {
    try {
      throw new AssertionError(call.send() + " is no " + status);
    } catch (ApiException e) {
      if (e.getCode() != status || !e.getResponseBody().contains(text)) throw new AssertionError(status + ": " + e.getMessage(), e);
    }
  }
}
