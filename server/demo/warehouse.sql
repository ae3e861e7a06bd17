-- The demo's warehouse: real public data (data/README.md), with the flaws it came with.

create table us_states (
  state text primary key
);
comment on table us_states is 'The fifty states that have a capital';

create table airports (
  iata text primary key,
  name text not null,
  city text,
  state text,
  country text,
  latitude double precision,
  longitude double precision
);
comment on table airports is 'Airports of the United States and nearby, by location identifier';
comment on column airports.iata is 'Called IATA code in the source; a third of them are FAA identifiers such as 00M';

create table flights (
  departed_at timestamp not null,
  origin text not null,
  destination text not null,
  delay_minutes integer,
  distance_miles integer
);
comment on table flights is 'Domestic flights of the first quarter of 2001, 20,000 of them, with arrival delay';
create index flights_departed_at_idx on flights (departed_at);

create table departures (
  sequence bigint primary key,
  recorded_at timestamptz not null,
  origin text not null,
  destination text not null,
  delay_minutes integer,
  distance_miles integer
);
comment on table departures is 'The flights of 2001 replayed: one every twelve seconds, in their order, without end';
create index departures_recorded_at_idx on departures (recorded_at);

create table movies (
  id integer generated always as identity primary key,
  title text,
  release_date date,
  us_gross bigint,
  worldwide_gross bigint,
  us_dvd_sales bigint,
  production_budget bigint,
  mpaa_rating text,
  running_time_minutes integer,
  distributor text,
  source text,
  major_genre text,
  creative_type text,
  director text,
  rotten_tomatoes_rating integer,
  imdb_rating numeric(3, 1),
  imdb_votes integer
);
comment on table movies is 'Films up to 2010, with grosses and ratings';

create table bird_strikes (
  id integer generated always as identity primary key,
  airport_name text,
  aircraft text,
  damage text,
  flight_date date,
  operator text,
  origin_state text,
  phase_of_flight text,
  wildlife_size text,
  wildlife_species text,
  time_of_day text,
  cost_other numeric,
  cost_repair numeric,
  cost_total numeric,
  speed_knots integer
);
comment on table bird_strikes is 'Wildlife strikes reported to the FAA, 1990 to 2002';

create table weather (
  location text not null,
  date date not null,
  precipitation_mm numeric(6, 1),
  temp_max_c numeric(4, 1),
  temp_min_c numeric(4, 1),
  wind_m_s numeric(4, 1),
  weather text,
  primary key (location, date)
);
comment on table weather is 'Daily weather of Seattle and New York, 2012 to 2015';
