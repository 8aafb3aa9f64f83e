import{_20a as r,_20b as m,_20c as u,_20d as s}from"./app.js";function _({route:a},o){(a.value.room!==o||a.value.message)&&a.go(o),setTimeout(s)}export{_ as a};
