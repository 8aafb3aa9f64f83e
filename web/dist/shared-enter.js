import{_29a as r,_29b as m,_29c as u,_29d as s}from"./app.js";function _({route:a},o){(a.value.room!==o||a.value.message)&&a.go(o),setTimeout(s)}export{_ as a};
