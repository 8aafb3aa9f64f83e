// The settings of notifications: on all devices, and in this browser.
import type { Notices, NotificationSettings } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { endOfStatus } from "../people/status-ends.js";
import { levelNames } from "../rooms/preferences.js";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { when } from "../ui/dates.js";
import type { Choice } from "../ui/forms.js";
import { Check, FormBody, Plain, SelectField, Sheet, useForm } from "../ui/parts.js";
import { shownForm, test } from "./desktop.js";
import { ask, permission, words } from "./permission.js";
import { chooseSound, chosenSound, play, type Sound, sounds } from "./sound.js";

const levels: readonly Choice[] = Object.entries(levelNames).map(([value, label]) => ({ value, label }));
const forms: readonly Choice[] = [
  { value: "text", label: "Sender, room and text" },
  { value: "sender", label: "Sender and room" },
  { value: "none", label: "Only that there is a message" },
];
const pauses: readonly Choice[] = [
  { value: "30m", label: "For 30 minutes" },
  { value: "1h", label: "For 1 hour" },
  { value: "tomorrow", label: "Until tomorrow at 9:00" },
];
const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const night = { from: "22:00", to: "07:00" };

export default function NotificationsDialog({ onClose }: { onClose: () => void }) {
  const page = usePage();
  const chat = useValue(page.chat);
  const [notices, setNotices] = useState<Notices | null>(null);
  useEffect(() => void chat?.notices().then(setNotices, page.toastError), [chat]);
  return (
    <Sheet title="Notifications" onClose={onClose}>
      <ThisBrowser />
      {notices && <Everywhere notices={notices} onClose={onClose} />}
    </Sheet>
  );
}

/** Whether this browser shows notifications, and its sound. */
function ThisBrowser() {
  const page = usePage();
  const [is, set] = useState(permission);
  const [sound, setSound] = useState(chosenSound);
  const [answered, setAnswered] = useState(false);
  const turnOn = () => void ask().then(p => { set(p); setAnswered(true); });
  const choose = (value: string) => {
    chooseSound(value as Sound);
    setSound(value as Sound);
    play(value as Sound);
  };
  const form = useForm([], () => Promise.resolve());
  return (
    <section class="p-section" aria-label="This browser">
      <p class="small quiet">
        While Parley is open and you look elsewhere, this browser can tell you of new messages, with a sound.
      </p>
      <p role="status">{(is !== "default" || answered) && words[is]}</p>
      <div class="p-bar">
        {is === "default" && <button type="button" class="button" onClick={turnOn}>Turn on notifications</button>}
        {is === "granted" && <Plain onClick={() => void test(page).catch(page.toastError)}>Send a test</Plain>}
      </div>
      {is === "granted" && (
        <SelectField
          form={form}
          name="sound"
          label="Sound"
          value={sound}
          choices={sounds.map(([value, label]) => ({ value, label }))}
          onValue={choose}
        />
      )}
    </section>
  );
}

/** The settings for all devices. */
function Everywhere({ notices, onClose }: { notices: Notices; onClose: () => void }) {
  const settings = useValue(notices.settings);
  return (
    <section class="p-section everywhere" aria-label="All devices">
      {settings
        ? <Fields key={JSON.stringify(settings)} notices={notices} settings={settings} onClose={onClose} />
        : <p class="p-state">Loading…</p>}
    </section>
  );
}

function Fields({ notices, settings, onClose }: {
  notices: Notices; settings: NotificationSettings; onClose: () => void;
}) {
  const page = usePage();
  const [level, setLevel] = useState<string>(settings.level);
  const [always, setAlways] = useState(settings.mentionsAlways);
  const [show, setShow] = useState<string>(settings.show);
  const [quiet, setQuiet] = useState(settings.quiet ?? null);
  const zone = quiet?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const form = useForm(["level", "quiet", "show"], async () => {
    await notices.change({
      level: level as NotificationSettings["level"], mentionsAlways: always, show: show as NotificationSettings["show"],
      quiet: quiet ? { ...quiet, zone } : {},
    });
    onClose();
  });
  const least = shownForm(page);
  const offered = forms.slice(forms.findIndex(f => f.value === least));
  return (
    <FormBody form={form} label="Notifications on all devices" action="Save" onCancel={onClose}>
      <SelectField form={form} name="level" label="Tell me of" value={level} choices={levels} onValue={setLevel} />
      <p class="small quiet">A room can have its own choice: the bell beside its name.</p>
      <Pause settings={settings} notices={notices} />
      <Check
        label="Quiet hours"
        checked={!!quiet}
        onValue={is => setQuiet(is ? { zone, ...night, days: [1, 2, 3, 4, 5, 6, 7] } : null)}
      />
      {quiet && <QuietHours hours={quiet} zone={zone} onHours={setQuiet} />}
      <Check
        label="Mentions of me come through"
        hint="Also in quiet hours, while paused, and with a status that asks not to be disturbed."
        checked={always}
        onValue={setAlways}
      />
      <SelectField
        form={form}
        name="show"
        label="A notification shows"
        value={offered.some(f => f.value === show) ? show : least}
        choices={offered}
        onValue={setShow}
      />
    </FormBody>
  );
}

/** Pauses notifications, or ends the pause. */
function Pause({ settings, notices }: { settings: NotificationSettings; notices: Notices }) {
  const page = usePage();
  const now = new Date(page.now());
  const paused = settings.pausedUntil && Date.parse(settings.pausedUntil) > +now ? settings.pausedUntil : "";
  const pause = (until: Date) => void notices.change({ pausedUntil: until.toISOString() }).catch(page.toastError);
  return (
    <div class="p-bar">
      {paused
        ? <><span>Paused until {when(paused, now)}.</span><Plain onClick={() => pause(now)}>Resume</Plain></>
        : pauses.map(({ value, label }) => (
          <Plain key={value} onClick={() => pause(endOfStatus(value, now)!)}>
            {`Pause ${label[0]!.toLowerCase()}${label.slice(1)}`}
          </Plain>
        ))}
    </div>
  );
}

type Hours = NonNullable<NotificationSettings["quiet"]>;

function QuietHours({ hours, zone, onHours }: { hours: Hours; zone: string; onHours: (hours: Hours) => void }) {
  return (
    <fieldset class="quiet-hours" aria-label="Quiet hours">
      <label>From <Clock value={hours.from} onValue={from => onHours({ ...hours, from })} /></label>
      <label>to <Clock value={hours.to} onValue={to => onHours({ ...hours, to })} /></label>
      <div class="p-tabs" role="group" aria-label="Days on which they begin">
        {days.map((name, i) => {
          const chosen = hours.days ?? [];
          const is = chosen.includes(i + 1);
          return (
            <button
              key={name}
              type="button"
              aria-pressed={is}
              onClick={() => onHours({
                ...hours, days: is ? chosen.filter(d => d !== i + 1) : [...chosen, i + 1].sort(),
              })}
            >
              {name}
            </button>
          );
        })}
      </div>
      <small class="quiet">By the clock of {zone.replaceAll("_", " ")}.</small>
    </fieldset>
  );
}

const Clock = ({ value, onValue }: { value: string | undefined; onValue: (value: string) => void }) => (
  <input type="time" required value={value} onInput={e => onValue(e.currentTarget.value)} />
);
