// Improves pages, which all work without it. The stylesheet needs no script, and this script needs no markup of its own.

// Times: UTC becomes the time of the person. A title has the exact time.
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** `2 hours ago` for a time of the last week, otherwise the date and the time. */
function timeText(time) {
  const age = Date.now() - time;
  if (age > 7 * 86_400_000 || age < -60_000) return exact.format(time);
  const [unit, size] = UNITS.find(([, one]) => age >= one) ?? [];
  return unit ? relative.format(-Math.floor(age / size), unit) : 'just now';
}

for (const element of document.querySelectorAll('time[datetime*="T"]')) {
  const time = new Date(element.dateTime);
  if (Number.isNaN(time.getTime())) continue;
  element.title = exact.format(time);
  element.textContent = timeText(time);
}
