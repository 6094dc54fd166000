// The script of a report. It reads the JSON in the element `data`, shows the sections that the data
// has, and sends no request. `show`, at the end, is where it starts.
//
// Texts of notifications, apps and people come from logs, and may be written to do harm. They only
// enter the page as text nodes and attribute values (see `el`), each isolated in its direction.

'use strict';

// Limits of what is drawn at once, so that a page with megabytes of data stays quick.
const cardsAtOnce = 200;
const rowsAtOnce = 200;
const peopleAtOnce = 100;
const barsAtMost = 12;

// A push has at most 4 KB. Longer texts come from damaged logs, and take seconds to lay out.
const charactersAtMost = 10000;

const minute = 60 * 1000;
const hour = 60 * minute;
const day = 24 * hour;

// MARK: Elements

const find = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  const all = typeof attributes === 'string' ? {
    class: attributes
  } : attributes;
  for (const [name, value] of Object.entries(all || {})) {
    element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// Makes an element. Attributes are an object, or a string for the class alone. Children are
// elements, or strings, which become text.
function el(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes,
    children);
}

// Cuts a text that no device would show, between two characters.
function clipped(text) {
  if (text.length <= charactersAtMost) {
    return text;
  }
  const last = text.codePointAt(charactersAtMost - 1);
  return text.slice(0, last > 0xffff ? charactersAtMost - 1 : charactersAtMost) + '…';
}

// An element with a text of the log: its direction is that of its letters, and does not affect
// the text around it.
function foreign(name, className, text) {
  return el(name, {
    class: className,
    dir: 'auto'
  }, clipped(text));
}

function button(text, action) {
  const result = el('button', {
    type: 'button'
  }, text);
  result.addEventListener('click', action);
  return result;
}

// MARK: Numbers, words and times

const englishNumber = new Intl.NumberFormat('en');
const number = (value) => englishNumber.format(value);
const counted = (count, one, many) => number(count) + ' ' + (count === 1 ? one : many);

const compact = new Intl.NumberFormat('en', {
  notation: 'compact'
}).format;

// `timeSensitive` as "time sensitive".
const readable = (name) => name.replace(/[A-Z]/g, (letter) => ' ' + letter.toLowerCase());

const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// The language tag of a locale such as zh_Hant_TW, or English if the browser does not know it.
function languageTag(locale) {
  try {
    return new Intl.Locale(String(locale || 'en').replace(/_/g, '-')).toString();
  } catch (error) {
    return 'en';
  }
}

function isRightToLeft(tag) {
  const scripts = ['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg', 'Aran'];
  return scripts.includes(new Intl.Locale(tag).maximize().script);
}

// The time zone of the report: its name if the browser knows it, else its offset from UTC.
function timeZoneOf(data) {
  const zone = data.timeZone || {
    minutes: 0
  };
  try {
    if (zone.name) {
      new Intl.DateTimeFormat('en', {
        timeZone: zone.name
      });
      return {
        name: zone.name,
        label: zone.name,
        shift: 0
      };
    }
  } catch (error) {
    // An unknown name: the offset remains.
  }
  return {
    name: 'UTC',
    label: offsetName(zone.minutes),
    shift: zone.minutes * minute
  };
}

function offsetName(minutes) {
  const two = (value) => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  if (size === 0) {
    return 'UTC';
  }
  return `UTC${minutes < 0 ? '−' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

// A function that formats milliseconds since 1970 in a time zone, or returns '' for no time.
function timeFormat(tag, zone, options) {
  const format = new Intl.DateTimeFormat(tag, {
    ...options,
    timeZone: zone.name
  });
  // `Date` has times of at most this distance from 1970; a log may have others.
  const farthest = 8.64e15 - day;
  return (time) => {
    const known = typeof time === 'number' && Math.abs(time) <= farthest;
    return known ? format.format(time + zone.shift) : '';
  };
}

function timeFormats(tag, zone) {
  const twentyFour = {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23'
  };
  const date = {
    year: 'numeric',
    month: 'short',
    day: 'numeric'
  };
  return {
    // In English, for the page.
    exact: timeFormat('en', zone, {
      ...date,
      ...twentyFour,
      second: '2-digit'
    }),
    instant: timeFormat('en', zone, {
      weekday: 'short',
      ...date,
      ...twentyFour
    }),
    hours: timeFormat('en', zone, twentyFour),
    days: timeFormat('en', zone, {
      month: 'short',
      day: 'numeric'
    }),
    // In the report's locale, for the screen.
    clock: timeFormat(tag, zone, {
      hour: 'numeric',
      minute: '2-digit'
    }),
    clockDate: timeFormat(tag, zone, {
      weekday: 'long',
      month: 'long',
      day: 'numeric'
    }),
    date: timeFormat(tag, zone, {
      month: 'long',
      day: 'numeric',
      year: 'numeric'
    })
  };
}

// How long before `now` a notification arrived, in the words of the report's locale.
function relativeTime(time, now, report) {
  const age = now - time;
  if (typeof time !== 'number' || !Number.isFinite(age)) {
    return '';
  }
  if (age < 0) {
    return -age < day ? report.times.clock(time) : report.times.date(time);
  }
  if (age < minute) {
    return report.relative.format(0, 'second');
  }
  if (age < hour) {
    return report.relative.format(-Math.floor(age / minute), 'minute');
  }
  if (age < day) {
    return report.relative.format(-Math.floor(age / hour), 'hour');
  }
  if (age < 7 * day) {
    return report.relative.format(-Math.floor(age / day), 'day');
  }
  return report.times.date(time);
}

// MARK: Report

// What all sections need: the data, and the formats of its locale and time zone.
// The configured names of apps; of others, the last part of the identifier is shown.
let appNames = {};

function makeReport(data) {
  appNames = data.names || {};
  const tag = languageTag(data.locale);
  const zone = timeZoneOf(data);
  return {
    data,
    tag,
    zone,
    times: timeFormats(tag, zone),
    relative: new Intl.RelativeTimeFormat(tag, {
      numeric: 'auto',
      style: 'short'
    })
  };
}

const appName = (app) => Object.prototype.hasOwnProperty.call(appNames, app || '') ?
  appNames[app] : (app || '').split('.').pop() || app || 'No app';

const position = (place) => {
  if (!place) {
    return '';
  }
  const where = place.line === undefined ? `offset ${place.offset}` : place.line;
  return place.source + ':' + where;
};

// MARK: People and their groups

// The people on the page, each with the changes of their groups, in the order of `chosen`, which
// is that of their importance. Without devices, one person stands for everyone.
function readPeople(screens) {
  const people = new Map();
  const alone = new Set(screens.alone || []);
  for (const line of screens.lines || []) {
    const device = screens.byDevice && line.device !== undefined ? line.device : null;
    if (!people.has(device)) {
      people.set(device, makePerson(device, screens));
    }
    people.get(device).changes.push({
      line,
      key: groupKey(line, alone)
    });
  }
  return [...people.values()].sort((a, b) => a.rank - b.rank);
}

function makePerson(device, screens) {
  const chosen = screens.chosen || [];
  const index = chosen.findIndex((choice) => choice.device === device);
  return {
    name: device === null ? (screens.byDevice ? 'No device' : 'Everyone') : device,
    // Why the person was chosen, if not all people are on the page.
    reason: index < 0 ? '' : (chosen[index].reason === 'pushes' ? 'most pushes' : 'sample'),
    rank: index < 0 ? chosen.length : index,
    changes: []
  };
}

// What identifies a group. Notifications of the apps in `alone` are not grouped: each is a group,
// named by its position in the log.
function groupKey(line, alone) {
  const key = [line.device, line.app, line.thread];
  if (alone.has(line.app) && line.leading) {
    key.push(line.leading.source, line.leading.line, line.leading.timestamp);
  }
  return JSON.stringify(key);
}

// A person's groups at an instant, newest first. Without instants, all of the person's lines.
function groupsAt(person, instant) {
  const groups = new Map();
  for (const change of person.changes) {
    if (instant !== null && change.line.at > instant) {
      break;
    }
    applyChange(groups, change, instant !== null);
  }
  return [...groups.values()].flat().sort(newestFirst);
}

// A line replaces the group's line of an earlier instant. At the same instant, a key can have
// several lines only if a line of the log has several notifications that are shown alone.
function applyChange(groups, change, replaces) {
  const earlier = groups.get(change.key) || [];
  if (change.line.count === 0) {
    groups.set(change.key, earlier.slice(1));
    return;
  }
  const kept = earlier.filter((other) => !replaces || other.line.at === change.line.at);
  groups.set(change.key, [...kept, change]);
}

function newestFirst(a, b) {
  const time = (change) => {
    const value = change.line.leading.timestamp;
    return typeof value === 'number' ? value : -Infinity;
  };
  if (time(a) !== time(b)) {
    return time(b) - time(a);
  }
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

function newestTime(people) {
  let newest = -Infinity;
  for (const person of people) {
    for (const change of person.changes) {
      newest = Math.max(newest, typeof change.line.last === 'number' ? change.line.last : -
        Infinity);
    }
  }
  return newest;
}

const textsOf = (line) => {
  const display = line.display || {};
  return [display.title, display.subtitle, display.body, display.summary];
};

const searchText = (line) => [line.app, ...textsOf(line)].filter(Boolean).join('\n')
  .toLowerCase();

// Whether a person's device, apps or texts contain what is searched for, in lower case.
function personMatches(person, query) {
  if (person.searchText === undefined) {
    const texts = person.changes.map((change) => searchText(change.line));
    person.searchText = [person.name.toLowerCase(), ...texts].join('\n');
  }
  return person.searchText.includes(query);
}

// MARK: Cards

// The icon's color depends on the app alone.
function appTint(app) {
  let sum = 0;
  for (const character of app || '') {
    sum = (sum * 31 + character.codePointAt(0)) % 9973;
  }
  return 'tint' + (sum % 8);
}

function cardHeader(line, screen) {
  const name = appName(line.app);
  const icon = el('span', {
    class: 'icon ' + appTint(line.app),
    'aria-hidden': 'true'
  }, [...name][0].toUpperCase());
  const app = foreign('span', 'app', name);
  app.title = clipped(line.app || '');
  const time = relativeTime(line.leading.timestamp, screen.now, screen.report);
  const header = el('span', 'card-header', icon, app);
  if (time) {
    header.append(el('span', 'when', time));
  }
  return header;
}

function cardTexts(line) {
  const names = ['title', 'subtitle', 'body', 'summary'];
  const texts = textsOf(line).map((text, index) => [names[index], text]);
  return texts.filter((pair) => pair[1]).map((pair) => foreign('span', pair[0], pair[1]));
}

function makeCard(change, id, screen) {
  const line = change.line;
  const card = button('', () => toggleCard(card, change, screen));
  card.className = 'card';
  card.append(cardHeader(line, screen), ...cardTexts(line));
  card.setAttribute('aria-expanded', 'false');
  card.setAttribute('aria-controls', id);
  const details = el('div', {
    class: 'details',
    id
  });
  details.hidden = true;
  const stack = el('div', line.count > 1 ? 'stack many' : 'stack', card);
  const item = el('li', {}, stack, details);
  if (screen.open.has(change.key)) {
    openCard(card, details, line, screen);
  }
  return item;
}

function toggleCard(card, change, screen) {
  const details = find(card.getAttribute('aria-controls'));
  if (screen.open.delete(change.key)) {
    card.setAttribute('aria-expanded', 'false');
    details.hidden = true;
    return;
  }
  screen.open.add(change.key);
  openCard(card, details, change.line, screen);
}

function openCard(card, details, line, screen) {
  details.replaceChildren(detailList(line, screen.report), ...memberList(line, screen));
  details.hidden = false;
  card.setAttribute('aria-expanded', 'true');
}

// The facts about a group, in English, as names and values.
function detailList(line, report) {
  const list = el('dl', {
    lang: 'en',
    dir: 'ltr'
  });
  for (const [name, value] of groupFacts(line, report)) {
    if (value !== '') {
      list.append(el('dt', {}, name), foreign('dd', '', value));
    }
  }
  return list;
}

// The notifications of a group, newest first, if the page has all of them.
function memberList(line, screen) {
  const members = membersOf(line, screen);
  if (line.count < 2 || members.length !== line.count) {
    return [];
  }
  const items = members.map((member) => el('li', {}, ...cardTexts(member), el('span', {
    class: 'where',
    lang: 'en',
    dir: 'ltr'
  }, `${screen.report.times.exact(member.leading.timestamp)} · ${position(member.leading)}`)));
  return [el('ol', 'members', ...items)];
}

function membersOf(line, screen) {
  const data = screen.report.data.members;
  if (!data) {
    return [];
  }
  if (!screen.report.members) {
    screen.report.members = new Map(readPeople(data).map((person) => [person.name, person]));
  }
  const person = screen.report.members.get(screen.person.name);
  const instant = screen.index < 0 ? null : screen.instants[screen.index];
  const all = person ? groupsAt(person, instant).map((change) => change.line)
    .filter((member) => member.app === line.app) : [];
  const own = all.filter((member) => member.thread === line.thread);
  // An app that is grouped as a whole has no threads.
  return own.length !== line.count && line.thread === null ? all : own;
}

function groupFacts(line, report) {
  const exact = report.times.exact;
  return [
    ['App', line.app || ''],
    ['Thread', line.thread || 'none'],
    ['Device', line.device || ''],
    ['Notifications', number(line.count)],
    ['Total of their weights', number(line.total)],
    ['First', exact(line.first)],
    ['Last', exact(line.last)],
    ['Categories', categoryText(line)],
    ['Leading notification', position(line.leading)],
    ['Its identifier', line.leading.id || ''],
    ['Summary arguments', argumentText(line)],
    ['Delivery', deliveryText(line.delivery)]
  ];
}

// Isolates a text of the log in a longer one, so that it can't reorder what follows.
const isolated = (text) => '\u2068' + text + '\u2069';

function categoryText(line) {
  const texts = (line.categories || []).map((entry) => {
    const name = entry.category === null ? 'none' : isolated(entry.category);
    return `${name} ${number(entry.count)}`;
  });
  if (line.otherCategories) {
    texts.push(`others ${number(line.otherCategories.count)}`);
  }
  return texts.join(', ');
}

function argumentText(line) {
  const texts = (line.arguments || []).map(isolated);
  return texts.join(', ') + (line.argumentsTruncated ? ', and others' : '');
}

function deliveryText(delivery) {
  const counts = Object.entries(delivery || {}).filter((pair) => pair[1] > 0);
  return counts.map((pair) => `${readable(pair[0])} ${number(pair[1])}`).join(', ');
}

// MARK: Screen

function showScreens(report) {
  const screens = report.data.screens;
  if (!screens) {
    return;
  }
  const people = readPeople(screens);
  const instants = screens.instants || [];
  const screen = {
    report,
    people,
    instants,
    // What relative times refer to if the page has no instants.
    newest: typeof screens.now === 'number' ? screens.now : newestTime(people),
    person: people[0] || {
      changes: []
    },
    // The chosen one of `instants`; -1 if there are none.
    index: instants.length - 1,
    query: '',
    cardLimit: cardsAtOnce,
    peopleLimit: peopleAtOnce,
    // The keys of the groups whose details are shown.
    open: new Set()
  };
  setUpDevice(screen);
  setUpTime(screen);
  setUpSearch(screen);
  drawScreen(screen);
  showSentence(find('screen-left-out'), screensSentence(report, people.length));
  find('screen').hidden = false;
}

function setUpDevice(screen) {
  const device = find('device');
  device.lang = screen.report.tag;
  device.dir = isRightToLeft(screen.report.tag) ? 'rtl' : 'ltr';
  device.classList.toggle('locked', Boolean(screen.report.data.locked));
  find('padlock').hidden = !screen.report.data.locked;
  find('more-groups').addEventListener('click', () => showMoreCards(screen));
}

function showMoreCards(screen) {
  const shown = screen.cardLimit;
  screen.cardLimit += cardsAtOnce;
  drawScreen(screen);
  // The button may be gone, so the focus moves to the first of the new cards.
  find('groups').children[shown].querySelector('.card').focus();
}

function visibleGroups(screen) {
  const instant = screen.index < 0 ? null : screen.instants[screen.index];
  const groups = groupsAt(screen.person, instant);
  const filtersGroups = screen.people.length < 2 && screen.query;
  return filtersGroups ?
    groups.filter((change) => searchText(change.line).includes(screen.query)) : groups;
}

function drawScreen(screen) {
  screen.now = screen.index < 0 ? screen.newest : screen.instants[screen.index];
  const groups = visibleGroups(screen);
  const cards = groups.slice(0, screen.cardLimit).map((change, index) => {
    return makeCard(change, 'details-' + index, screen);
  });
  find('groups').replaceChildren(...cards);
  find('groups').hidden = groups.length === 0;
  find('empty').hidden = groups.length > 0;
  find('more-groups').hidden = groups.length <= screen.cardLimit;
  find('clock-time').textContent = screen.report.times.clock(screen.now);
  find('clock-date').textContent = screen.report.times.clockDate(screen.now);
  drawCaption(screen, groups);
}

function drawCaption(screen, groups) {
  const notifications = groups.reduce((sum, change) => sum + change.line.count, 0);
  const count = counted(groups.length, 'group', 'groups');
  find('screen-counts').textContent =
    `${count}, ${counted(notifications, 'notification', 'notifications')}`;
  find('screen-person').textContent = clipped(screen.person.name || 'Everyone');
}

// MARK: Time

function setUpTime(screen) {
  if (screen.instants.length < 2) {
    return;
  }
  const slider = find('instant');
  slider.max = String(screen.instants.length - 1);
  slider.addEventListener('input', () => chooseInstant(screen, Number(slider.value)));
  find('previous').addEventListener('click', () => chooseInstant(screen, screen.index - 1));
  find('next').addEventListener('click', () => chooseInstant(screen, screen.index + 1));
  find('time').hidden = false;
  drawTime(screen);
}

function chooseInstant(screen, index) {
  const last = screen.instants.length - 1;
  screen.index = Math.min(Math.max(index, 0), last);
  screen.cardLimit = cardsAtOnce;
  drawTime(screen);
  drawScreen(screen);
}

function drawTime(screen) {
  const slider = find('instant');
  const last = screen.instants.length - 1;
  const text = screen.report.times.instant(screen.instants[screen.index]);
  slider.value = String(screen.index);
  slider.setAttribute('aria-valuetext', text);
  find('instant-text').textContent = text;
  // Not `disabled`, which would take the focus from a button that is pressed repeatedly.
  find('previous').setAttribute('aria-disabled', String(screen.index === 0));
  find('next').setAttribute('aria-disabled', String(screen.index === last));
}

// MARK: Search and people

// With several people the search selects among them, otherwise among the groups.
function setUpSearch(screen) {
  const several = screen.people.length > 1;
  find('query-label').textContent = several ?
    'Search people, apps and texts' : 'Search apps and texts';
  find('query').addEventListener('input', () => {
    screen.query = find('query').value.trim().toLowerCase();
    screen.peopleLimit = peopleAtOnce;
    drawMatches(screen);
  });
  find('search').hidden = screen.people.length === 0;
  find('people').hidden = !several;
  if (several) {
    drawPeople(screen, screen.people);
  }
}

function drawMatches(screen) {
  if (screen.people.length < 2) {
    drawScreen(screen);
    find('matches').textContent = screen.query ? find('screen-counts').textContent : '';
    return;
  }
  const people = screen.people.filter((person) => personMatches(person, screen.query));
  drawPeople(screen, people);
  find('matches').textContent = screen.query ?
    `${counted(people.length, 'person', 'people')} of ${number(screen.people.length)}` : '';
}

function drawPeople(screen, people) {
  const shown = people.slice(0, screen.peopleLimit);
  find('people-list').replaceChildren(...shown.map((person) => personChoice(person, screen)));
  if (people.length > shown.length) {
    const more = button('Show more people', () => {
      screen.peopleLimit += peopleAtOnce;
      drawPeople(screen, people);
      find('people-list').children[shown.length].querySelector('input').focus();
    });
    more.className = 'more';
    find('people-list').append(more);
  }
}

function personChoice(person, screen) {
  const radio = el('input', {
    type: 'radio',
    name: 'person'
  });
  radio.checked = person === screen.person;
  radio.addEventListener('change', () => {
    screen.person = person;
    screen.cardLimit = cardsAtOnce;
    drawScreen(screen);
  });
  const label = el('label', 'person', radio, foreign('span', 'person-name', person.name));
  if (person.reason) {
    label.append(el('span', 'reason', person.reason));
  }
  return label;
}

// MARK: Sentences about what the page does not have

function showSentence(element, text) {
  element.textContent = text;
  element.hidden = text === '';
}

// `counts` are numbers of what was left out, by kind; or `more` is true if they are not known.
function leftOutSentence(counts) {
  if (counts && counts.more) {
    return 'Other groups were left out to limit the size of this page.';
  }
  const words = {
    people: ['person', 'people'],
    groups: ['group', 'groups'],
    apps: ['app', 'apps'],
    intervals: ['interval', 'intervals']
  };
  const parts = Object.entries(counts || {}).filter((pair) => words[pair[0]] && pair[1] > 0);
  if (parts.length === 0) {
    return '';
  }
  const texts = parts.map((pair) => counted(pair[1], ...words[pair[0]]));
  return `Left out to limit the size of this page: ${texts.join(' and ')}.`;
}

// What is left out of the screens. A report knows how many people there are.
function screensSentence(report, shown) {
  const {
    screens,
    statistics
  } = report.data;
  const all = statistics && screens.chosen ? statistics.people : 0;
  if (!(all > shown)) {
    return leftOutSentence(screens.leftOut);
  }
  return `Shown are ${number(shown)} of ${counted(all, 'person', 'people')}: ` +
    'half of them have the most pushes, the others are a sample.';
}

// MARK: Tables

// A table with a button that copies all of its rows. Columns are names, cells numbers or texts.
function makeTable(title, columns, rows) {
  const body = el('tbody', {});
  const head = el('tr', {}, ...columns.map((column, index) => {
    const numeric = rows.length > 0 && typeof rows[0][index] === 'number';
    return el('th', {
      scope: 'col',
      class: numeric ? 'numeric' : ''
    }, column);
  }));
  const box = el('div', {
    class: 'table-box',
    tabindex: '0',
    role: 'group',
    'aria-label': title + ', table'
  }, el('table', {}, el('thead', {}, head), body));
  const result = el('div', 'table', box);
  addRows(body, rows, box);
  addCopyButton(result, title, [columns, ...rows]);
  return result;
}

function addRows(body, rows, box) {
  const start = body.children.length;
  body.append(...rows.slice(start, start + rowsAtOnce).map(tableRow));
  if (body.children.length < rows.length) {
    const more = button('Show more rows', () => {
      more.remove();
      addRows(body, rows, box);
      box.focus();
    });
    more.className = 'more';
    box.append(more);
  }
}

function tableRow(cells) {
  return el('tr', {}, ...cells.map((cell, index) => {
    if (typeof cell === 'number') {
      return el('td', 'numeric', number(cell));
    }
    const attributes = index === 0 ? {
      scope: 'row'
    } : {};
    return el(index === 0 ? 'th' : 'td', attributes, el('bdi', {}, clipped(cell)));
  }));
}

// Rows as comma-separated values (RFC 4180).
function csv(rows) {
  const cell = (value) => {
    const text = String(value);
    return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return rows.map((row) => row.map(cell).join(',') + '\r\n').join('');
}

function addCopyButton(container, title, rows) {
  const status = el('span', {
    role: 'status'
  });
  const copy = button('Copy as CSV', () => {
    const text = csv(rows);
    const offer = () => offerText(container, status, text);
    if (!navigator.clipboard) {
      offer();
      return;
    }
    navigator.clipboard.writeText(text).then(() => {
      status.textContent = 'Copied.';
    }, offer);
  });
  copy.append(el('span', 'visually-hidden', ': ' + title));
  container.append(el('p', 'copy', copy, status));
}

// Browsers may refuse to write to the clipboard: then the reader can copy the selected text.
function offerText(container, status, text) {
  let area = container.querySelector('textarea');
  if (!area) {
    area = el('textarea', {
      readonly: '',
      rows: '4',
      'aria-label': 'Comma-separated values'
    });
    container.append(area);
  }
  area.value = text;
  area.focus();
  area.select();
  status.textContent = 'The text is selected: copy it with Ctrl+C or ⌘C.';
}

// MARK: Charts

// The size of all charts in units of their coordinates, and the area inside their axes.
const chartWidth = 360;
const chartHeight = 220;
const plot = {
  left: 40,
  right: 350,
  top: 10,
  bottom: 195
};

let charts = 0;

// A heading, a drawing with its text alternative, and a table with the same numbers.
function addChart(section, chart) {
  charts += 1;
  const title = svg('title', {
    id: `chart-${charts}-title`
  }, chart.title);
  const description = svg('desc', {
    id: `chart-${charts}-text`
  }, chart.description);
  const drawing = svg('svg', {
    viewBox: `0 0 ${chartWidth} ${chart.height || chartHeight}`,
    role: 'img',
    'aria-labelledby': title.id,
    'aria-describedby': description.id
  }, title, description, ...chart.marks);
  const figure = el('div', 'drawing', drawing);
  if (chart.legend) {
    figure.append(chart.legend);
  }
  section.append(el('h3', {}, chart.title), el('div', 'chart', figure, makeTable(chart.title,
    chart.columns, chart.rows)));
  section.hidden = false;
}

const chartText = (x, y, anchor, text) => svg('text', {
  x,
  y,
  'text-anchor': anchor
}, text);

// The smallest of 1, 2, 5, 10, 20, … with at most `count` steps up to a value.
function niceStep(value, count) {
  let step = 1;
  for (let index = 0; step * count < value; index += 1) {
    step *= index % 3 === 1 ? 2.5 : 2;
  }
  return step;
}

// Horizontal lines with their numbers, and a function from a value to its y coordinate.
function verticalAxis(highest, suffix) {
  const step = niceStep(highest, 4);
  const top = Math.max(Math.ceil(highest / step), 1) * step;
  const y = (value) => plot.bottom - (value / top) * (plot.bottom - plot.top);
  const marks = [];
  for (let value = 0; value <= top; value += step) {
    marks.push(svg('line', {
      class: 'grid',
      x1: plot.left,
      x2: plot.right,
      y1: y(value),
      y2: y(value)
    }), chartText(plot.left - 6, y(value) + 4, 'end', compact(value) + suffix));
  }
  return {
    marks,
    y
  };
}

const polyline = (points, className) => svg('polyline', {
  class: 'line ' + className,
  points: points.map((point) => point.map((value) => value.toFixed(1)).join(',')).join(' ')
});

const dot = (point, className) => svg('circle', {
  class: 'dot ' + className,
  cx: point[0],
  cy: point[1],
  r: 2
});

// Lines over time, with a dot for each value if there is room.
function timeChart(title, series, instants, report) {
  const highest = series.reduce((most, one) => one.values.reduce((a, b) => Math.max(a, b),
    most), 0);
  const axis = verticalAxis(highest, '');
  const last = instants.length - 1;
  const span = instants[last] - instants[0];
  const x = (time) => plot.left + ((time - instants[0]) / span) * (plot.right - plot.left);
  const marks = [...axis.marks, ...timeLabels(instants, x, report)];
  for (const one of series) {
    const points = one.values.map((value, index) => [x(instants[index]), axis.y(value)]);
    marks.push(polyline(points, one.className));
    if (points.length <= 40) {
      marks.push(...points.map((point) => dot(point, one.className)));
    }
  }
  return {
    title,
    description: timeDescription(series, instants, report),
    marks,
    legend: makeLegend(series),
    columns: ['Until', ...series.map((one) => one.name)],
    rows: instants.map((instant, index) => {
      return [report.times.instant(instant), ...series.map((one) => one.values[index])];
    })
  };
}

function timeLabels(instants, x, report) {
  const last = instants.length - 1;
  const long = instants[last] - instants[0] > 2 * day;
  const format = long ? report.times.days : report.times.hours;
  const indexes = [0, 1, 2, 3].map((part) => Math.round((part * last) / 3));
  return [...new Set(indexes)].map((index) => {
    const anchor = index === 0 ? 'start' : index === last ? 'end' : 'middle';
    return chartText(x(instants[index]), plot.bottom + 18, anchor, format(instants[index]));
  });
}

function timeDescription(series, instants, report) {
  const first = report.times.instant(instants[0]);
  const last = report.times.instant(instants[instants.length - 1]);
  const texts = series.map((one) => {
    const highest = one.values.reduce((a, b) => Math.max(a, b), 0);
    const when = report.times.instant(instants[one.values.indexOf(highest)]);
    return `${one.name}: at most ${number(highest)}, in the interval until ${when}.`;
  });
  return `${counted(instants.length, 'interval', 'intervals')} from ${first} to ${last}. ` +
    texts.join(' ');
}

function makeLegend(series) {
  return el('ul', 'legend', ...series.map((one) => el('li', {}, svg('svg', {
    viewBox: '0 0 24 8',
    'aria-hidden': 'true'
  }, svg('line', {
    class: 'line ' + one.className,
    x1: 0,
    x2: 24,
    y1: 4,
    y2: 4
  })), one.name)));
}

// Horizontal bars, each with its name above it.
function barChart(title, what, columns, bars) {
  const rowHeight = 34;
  const shown = bars.slice(0, barsAtMost);
  const highest = Math.max(...shown.map((bar) => bar.value), 1);
  const marks = [];
  shown.forEach((bar, index) => {
    const top = index * rowHeight;
    // A nested drawing cuts off a long name before it reaches the number.
    marks.push(svg('svg', {
      x: 0,
      y: top,
      width: chartWidth - 70,
      height: 18
    }, svg('text', {
      class: 'foreign',
      x: 0,
      y: 13
    }, clipped(bar.name).slice(0, 80))));
    marks.push(chartText(chartWidth, top + 13, 'end', number(bar.value)), svg('rect', {
      class: 'bar',
      x: 0,
      y: top + 18,
      width: Math.max((bar.value / highest) * chartWidth, 1),
      height: 8,
      rx: 2
    }));
  });
  return {
    title,
    description: barDescription(what, bars),
    marks,
    height: shown.length * rowHeight,
    columns,
    rows: bars.map((bar) => [...bar.cells, bar.value])
  };
}

function barDescription(what, bars) {
  const texts = bars.slice(0, 3).map((bar) => {
    return `${isolated(bar.name.slice(0, 80))} ${number(bar.value)}`;
  });
  return `${what}. The largest: ${texts.join(', ')}.`;
}

// The share of people who have at most a number of groups.
function shareChart(title, points) {
  const highest = points[points.length - 1].groups;
  const axis = verticalAxis(100, '%');
  const step = niceStep(Math.max(highest, 1), 5);
  const most = Math.max(Math.ceil(highest / step), 1) * step;
  const x = (groups) => plot.left + (groups / most) * (plot.right - plot.left);
  const marks = axis.marks;
  for (let groups = 0; groups <= most; groups += step) {
    const anchor = groups === most ? 'end' : 'middle';
    marks.push(chartText(x(groups), plot.bottom + 18, anchor, compact(groups)));
  }
  // The share stays the same up to the next known number of groups.
  const corners = [
    [x(0), axis.y(0)]
  ];
  let share = 0;
  for (const point of points) {
    corners.push([x(point.groups), axis.y(share)], [x(point.groups), axis.y(point.share)]);
    share = point.share;
  }
  corners.push([x(most), axis.y(100)]);
  marks.push(polyline(corners, 'series0'));
  return {
    title,
    description: points.map((point) => {
      return `${number(point.share)}% of people have at most ${number(point.groups)}.`;
    }).join(' '),
    marks,
    columns: ['Groups, at most', '% of people'],
    rows: points.map((point) => [point.groups, point.share])
  };
}

// MARK: Measures

function showMeasures(report) {
  const section = find('measures');
  const measures = report.data.measures;
  if (measures && measures.cells.length > 0) {
    const all = measures.cells[0];
    section.append(el('p', {},
      `${counted(all.people, 'person', 'people')} had a notification. ` +
      'A person is a device.'));
    addTimeChart(section, measures, report);
    addGroupsChart(section, measures);
    addAppsChart(section, measures);
    addMeasureTable(section, measures, report);
    showLeftOut(section, measures.leftOut);
    section.hidden = false;
  }
  addThreadsChart(section, report);
  addRefusalsChart(section, report);
}

function showLeftOut(section, counts) {
  const text = leftOutSentence(counts);
  if (text) {
    section.append(el('p', 'left-out', text));
  }
}

function addTimeChart(section, measures, report) {
  const values = measures.cells[0].values;
  const names = ['pushes', 'banners', 'sounds'].filter((name) => values[name]);
  const series = names.map((name) => ({
    name: capitalized(name),
    className: 'series' + ['pushes', 'banners', 'sounds'].indexOf(name),
    values: values[name].sum
  }));
  if (series.length === 0) {
    return;
  }
  if (measures.instants.length > 1) {
    addChart(section, timeChart('Over time', series, measures.instants, report));
    return;
  }
  const bars = series.map((one) => ({
    name: one.name,
    cells: [one.name],
    value: one.values[0]
  }));
  addChart(section, barChart('In all', 'Sums of all people', ['Measure', 'Sum'], bars));
}

function addGroupsChart(section, measures) {
  const all = measures.cells[0];
  const groups = all.values.groups;
  if (!groups || all.people < 2) {
    return;
  }
  const last = measures.instants.length - 1;
  const rounded = (share) => Math.round(share * 10) / 10;
  const points = [{
    groups: 0,
    share: rounded((groups.zero[last] / all.people) * 100)
  }];
  for (const quantile of measures.quantiles) {
    points.push({
      groups: groups['p' + quantile][last],
      share: Number(quantile)
    });
  }
  points.push({
    groups: groups.max[last],
    share: 100
  });
  addChart(section, shareChart('People by number of groups on screen', largestShares(points)));
}

// One point for each number of groups, with the largest share known for it.
function largestShares(points) {
  const shares = new Map();
  for (const point of points) {
    shares.set(point.groups, Math.max(shares.get(point.groups) || 0, point.share));
  }
  return [...shares].map(([groups, share]) => ({
    groups,
    share
  })).sort((a, b) => a.groups - b.groups);
}

function addAppsChart(section, measures) {
  const sums = new Map();
  for (const cell of measures.cells) {
    const pushes = cell.values.pushes;
    if (cell.app !== null && pushes) {
      // The total includes the intervals that were left out.
      const sum = cell.total ? cell.total.pushes : pushes.sum.reduce((a, b) => a + b, 0);
      sums.set(cell.app, (sums.get(cell.app) || 0) + sum);
    }
  }
  const bars = [...sums].sort((a, b) => b[1] - a[1]).map(([app, value]) => ({
    name: appName(app),
    cells: [app],
    value
  }));
  if (bars.length > 0) {
    addChart(section, barChart('Largest apps', 'Pushes by app', ['App', 'Pushes'], bars));
  }
}

// All measures of all apps together: their sums, and how they are distributed among people.
function addMeasureTable(section, measures, report) {
  const last = measures.instants.length - 1;
  const quantiles = measures.quantiles.map((quantile) => 'p' + quantile);
  const rows = Object.entries(measures.cells[0].values).map(([name, values]) => [
    capitalized(readable(name)), values.sum[last], values.zero[last],
    ...quantiles.map((quantile) => values[quantile][last]), values.max[last]
  ]);
  if (rows.length === 0) {
    return;
  }
  const percentiles = measures.quantiles.map((quantile) => `${quantile}th percentile`);
  const columns = ['Measure', 'Sum', 'People with none', ...percentiles, 'Most'];
  const title = measures.instants.length > 1 ?
    `Per person, in the last interval, until ${report.times.instant(measures.instants[last])}` :
    'Per person';
  section.append(el('h3', {}, title), makeTable(title, columns, rows));
}

function addThreadsChart(section, report) {
  const lines = (report.data.threads || []).filter((line) => line.count > 0);
  if (lines.length === 0) {
    return;
  }
  const ofDevices = lines.some((line) => line.device);
  const bars = lines.map((line) => ({
    name: `${appName(line.app)} · ${line.thread === null ? 'no thread' : line.thread}`,
    cells: [line.app || '', line.thread || '', ...(ofDevices ? [line.device || ''] : [])],
    value: line.count
  }));
  const columns = ['App', 'Thread', ...(ofDevices ? ['Device'] : []), 'Notifications'];
  addChart(section, barChart('Largest threads', 'Notifications by thread', columns, bars));
}

function addRefusalsChart(section, report) {
  const source = report.data.statistics || report.data.check || {};
  const refused = source.refused;
  if (!refused || !refused.total) {
    return;
  }
  const bars = refused.counts.map((entry) => ({
    name: entry.reason === null ? 'no reason given' : entry.reason,
    cells: [entry.reason === null ? 'no reason given' : entry.reason],
    value: entry.count
  }));
  if (refused.others > 0) {
    bars.push({
      name: 'other reasons',
      cells: ['other reasons'],
      value: refused.others
    });
  }
  bars.sort((a, b) => b.value - a.value);
  addChart(section, barChart('Pushes that the push service refused', 'Pushes by reason',
    ['Reason', 'Pushes'], bars));
}

// MARK: Comparison

// What differs between two designs: sentences, tables, and screens side by side.
function showComparison(report) {
  const comparison = report.data.comparison;
  if (!comparison) {
    return;
  }
  const section = find('comparison');
  for (const sentence of [...comparison.verdict, ...comparison.missing || []]) {
    section.append(el('p', 'verdict', el('bdi', {}, clipped(sentence))));
  }
  addFailures(section, comparison.failures || []);
  addAppsTable(section, comparison.apps || []);
  addPersonTable(section, comparison.all.measures || []);
  addExamples(section, comparison.examples || []);
  for (const pair of comparison.screens || []) {
    addScreenPair(section, pair, report);
  }
  section.hidden = false;
}

function addFailures(section, failures) {
  if (failures.length > 0) {
    const rows = failures.map((failure) => [failure.condition, failure.values]);
    section.append(el('h3', {}, 'Conditions that are true'));
    section.append(makeTable('Conditions that are true', ['Condition', 'Values'], rows));
  }
}

function addAppsTable(section, apps) {
  if (apps.length === 0) {
    return;
  }
  const known = (value) => value === undefined ? '' : value;
  // Other apps may only have moved up or down.
  const rows = apps.filter((app) => app.groups.now !== app.groups.new ||
    app.kept !== undefined && app.kept !== app.groups.now ||
    app.texts.leading + app.texts.summary > 0).map((app) => [
    app.app, app.groups.now, app.groups.new, known(app.kept), known(app.split),
    known(app.merged), app.texts.leading, app.texts.summary
  ]);
  const columns = ['App', 'Groups now', 'New groups', 'Kept', 'Split', 'Merged',
    'Other notifications', 'Other summaries'
  ];
  if (rows.length > 0) {
    section.append(el('h3', {}, 'Apps'), makeTable('Apps', columns, rows));
  }
}

// The distributions per person of the measures that someone has any of.
function addPersonTable(section, measures) {
  const quantiles = Object.keys((measures[0] || {
    now: {}
  }).now).filter((name) => /^p[0-9]/.test(name));
  const rows = measures.filter((row) => row.now.max + row.new.max > 0).map((row) => [
    capitalized(row.measure), ...[...quantiles, 'max'].flatMap((name) => [
      row.now[name], row.new[name]
    ])
  ]);
  if (rows.length === 0) {
    return;
  }
  const columns = [...quantiles, 'max'].flatMap((name) => [name + ' now', name + ' new']);
  section.append(el('h3', {}, 'Per person'));
  section.append(makeTable('Per person', ['Measure', ...columns], rows));
}

function addExamples(section, examples) {
  if (examples.length === 0) {
    return;
  }
  const rows = examples.map((example) => {
    const names = example.text === 'summary' ? ['summary'] : ['title', 'subtitle', 'body'];
    const text = (group) => names.map((name) => group[name]).filter(Boolean).join(' — ') || '–';
    return [example.app, text(example.now), text(example.new), position(example.now)];
  });
  section.append(el('h3', {}, 'Texts'));
  section.append(makeTable('Texts', ['App', 'Now', 'New', 'Leading notification'], rows));
}

function addScreenPair(section, pair, report) {
  section.append(el('h3', {}, el('bdi', {}, clipped(pair.device || 'The screen'))));
  const sides = ['now', 'new'].map((side) => screenOf(pair, side, report));
  section.append(el('div', 'pair', ...sides));
}

// The newest groups of a person with one of the designs.
function screenOf(pair, side, report) {
  const groups = pair[side];
  const newest = Math.max(...groups.map((group) => group.timestamp));
  const tag = side === 'new' ? languageTag(report.data.newLocale) : report.tag;
  const cards = groups.map((group) => {
    const line = {
      app: group.app,
      leading: group,
      display: group
    };
    const card = el('div', 'card', cardHeader(line, {
      now: newest,
      report
    }), ...cardTexts(line));
    return el('li', {}, el('div', group.count > 1 ? 'stack many' : 'stack', card));
  });
  const glass = el('div', {
    class: 'glass',
    tabindex: '0',
    role: 'group',
    'aria-label': capitalized(side),
    lang: tag,
    dir: isRightToLeft(tag) ? 'rtl' : 'ltr'
  }, el('ol', 'groups', ...cards));
  const all = pair.groups[side];
  const more = all > groups.length ? `, the newest ${number(groups.length)} are shown` : '';
  const caption = `${capitalized(side)}: ${counted(all, 'group', 'groups')}${more}`;
  return el('figure', {}, el('figcaption', {}, caption), glass);
}

// MARK: Findings

function showFindings(report) {
  const section = find('findings');
  if (report.data.check) {
    addFindings(section, report.data.check);
    section.hidden = false;
  }
  const statistics = report.data.statistics || {};
  addReasons(section, statistics.rejected);
  addDamage(section, statistics.sourceErrors);
}

function addFindings(section, check) {
  const findings = check.findings || [];
  section.append(el('p', {}, `${counted(check.errors || 0, 'error', 'errors')} and ` +
    `${counted(check.warnings || 0, 'warning', 'warnings')} in ` +
    `${counted(check.records || 0, 'record', 'records')}.`));
  if (findings.length === 0) {
    return;
  }
  const rows = findings.map((finding) => [
    finding.name, finding.severity, finding.count, position(finding.first),
    [finding.description, finding.detail].filter(Boolean).join(': ')
  ]);
  const columns = ['Rule', 'Severity', 'Count', 'First', 'Description'];
  section.append(makeTable('Findings', columns, rows));
}

function addReasons(section, rejected) {
  const rows = Object.entries(rejected || {}).filter((pair) => pair[0] !== 'total');
  if (rows.length === 0) {
    return;
  }
  rows.sort((a, b) => b[1] - a[1]);
  section.append(el('h3', {}, 'Rejected lines'));
  section.append(makeTable('Rejected lines', ['Reason', 'Lines'], rows));
  section.hidden = false;
}

function addDamage(section, errors) {
  if (!errors || errors.length === 0) {
    return;
  }
  const rows = errors.map((error) => [error.source, error.reason, error.offset]);
  section.append(el('h3', {}, 'Damaged sources'));
  section.append(makeTable('Damaged sources', ['Source', 'Reason', 'Offset'], rows));
  section.hidden = false;
}

// MARK: Statistics

const statisticNames = {
  bytesInflated: 'Bytes after decompression',
  blank: 'Blank lines',
  linesRead: 'Lines read',
  grouped: 'Notifications in groups',
  updated: 'Replaced by newer versions',
  repeated: 'Repeated records',
  silent: 'Silent pushes',
  otherPlatform: 'Records for other platforms',
  earlier: 'Records before the first time',
  later: 'Records after the last time',
  unselected: 'Records of other apps or devices',
  late: 'Records that arrived late',
  ahead: 'Records dated ahead',
  removed: 'Removed notifications',
  removalsIgnored: 'Removals that were not applied',
  settings: 'Changes of settings',
  suppressed: 'Notifications that did not appear',
  quiet: 'Notifications not on the lock screen',
  modified: 'Contents replaced by service extensions',
  expired: 'Service extensions that ran out of time',
  settingsIgnored: 'Changes of settings that were not applied',
  modificationsIgnored: 'Results of service extensions that were not applied',
  outcomesIgnored: 'Outcomes that were not applied',
  withoutDevice: 'Pushes without a device',
  refused: 'Refused by the push service',
  badges: 'Badges',
  untimed: 'Records without a time',
  rejected: 'Rejected lines',
  spilledBytes: 'Bytes written to disk',
  peakResidentBytes: 'Memory, in bytes'
};

function showStatistics(report) {
  const statistics = report.data.statistics;
  if (!statistics) {
    return;
  }
  const section = find('statistics');
  const rows = Object.entries(statistics).map(([name, value]) => {
    const known = Object.prototype.hasOwnProperty.call(statisticNames, name);
    return [known ? statisticNames[name] : capitalized(readable(name)), statisticValue(
      value)];
  });
  const numbers = rows.filter((row) => typeof row[1] === 'number');
  section.append(makeTable('Statistics', ['Name', 'Number'], numbers));
  addResponses(section, statistics.responses);
  section.hidden = false;
}

// The number that represents a member of the statistics, if it has one.
function statisticValue(value) {
  if (Array.isArray(value)) {
    return value.length > 0 ? value.length : undefined;
  }
  return value && typeof value === 'object' ? value.total : value;
}

function addResponses(section, responses) {
  if (!responses || !responses.total) {
    return;
  }
  const rows = responses.counts.map((entry) => {
    return [entry.app, entry.category || '', entry.action, entry.count];
  });
  section.append(el('h3', {}, 'Responses'));
  section.append(makeTable('Responses', ['App', 'Category', 'Action', 'Count'], rows));
}

// MARK: The page

function showHeader(report) {
  const data = report.data;
  const rules = {
    ios12: 'rules of iOS 12 to 14',
    ios15: 'rules of iOS 15 and later'
  };
  find('title').textContent = document.title;
  const facts = [
    data.version ? `Sheaf ${data.version}` : 'Sheaf', rules[data.profile],
    data.locale ? `texts in ${data.locale}` : '', `times in ${report.zone.label}`
  ];
  find('about').textContent = facts.filter(Boolean).join(' · ');
  if (data.command) {
    find('command').querySelector('code').textContent = data.command;
    find('command').hidden = false;
  }
}

// Links to the sections that are shown, if there are several.
function showContents() {
  const sections = [...document.querySelectorAll('main > section:not([hidden])')];
  const links = sections.map((section) => el('li', {}, el('a', {
    href: '#' + section.id
  }, section.querySelector('h2').textContent)));
  find('contents').querySelector('ul').replaceChildren(...links);
  find('contents').hidden = sections.length < 2;
}

function readData() {
  try {
    const data = JSON.parse(find('data').textContent);
    if (data && typeof data === 'object' && !Array.isArray(data)) {
      return data;
    }
    showProblem('they are not an object');
  } catch (error) {
    showProblem(error.message);
  }
  return null;
}

function showProblem(reason) {
  find('title').textContent = document.title;
  showSentence(find('problem'), 'The data of this page can’t be read. The file may be ' +
    `incomplete: make it again. (${reason})`);
}

function show() {
  const data = readData();
  if (!data) {
    return;
  }
  const report = makeReport(data);
  showHeader(report);
  showScreens(report);
  performance.mark('screen-shown');
  showComparison(report);
  showMeasures(report);
  showFindings(report);
  showStatistics(report);
  showContents();
  performance.mark('page-shown');
}

show();
