var o={banned:0,muted:1,"":2,member:3,moderator:4,owner:5};function r(n,e){return t(n,e)&&!e.archived}function t(n,e){return o[n]>=o.moderator&&e.kind!=="direct"}export{o as a,r as b,t as c};
